import { z } from 'zod';
import { oneOf } from '../vocabulary/text.ts';

/** The settings of one part of the service: how the text of each environment variable is read. */
export type SettingShape = Readonly<Record<string, z.ZodType<unknown, string | undefined>>>;

/** The values of the settings of a shape. */
export type SettingValues<Shape extends SettingShape> = { readonly [Name in keyof Shape]: z.output<Shape[Name]> };

/** One row per setting in the documentation's table: `describe` sets its meaning, and the default is given as text. */
export const text = (meaning: string, fallback: string) => z.string().default(fallback).describe(meaning);

export const flag = (meaning: string, fallback: 'true' | 'false') =>
  text(meaning, fallback)
    .pipe(z.enum(['true', 'false'], 'expected true or false'))
    .transform((v) => v === 'true');

/** A whole number with both bounds. */
export const count = (meaning: string, fallback: number, least: number, most: number) =>
  text(meaning, String(fallback))
    .refine(
      (v) => /^\d{1,15}$/.test(v) && Number(v) >= least && Number(v) <= most,
      `expected a whole number from ${least} to ${most}`,
    )
    .transform(Number);

/** One of several words. */
export const choice = <const Words extends readonly [string, ...string[]]>(
  meaning: string,
  fallback: Words[number],
  words: Words,
) => text(meaning, fallback).pipe(z.enum(words, `expected ${oneOf(words)}`));

/** Comma-separated values, without surrounding white space; none of them empty. */
export const list = (meaning: string, fallback: string) =>
  text(meaning, fallback).transform((v) =>
    v
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

const SECRETS = new WeakSet<object>();

/**
 * Marks a setting whose value nobody may see: it is not quoted in mistakes, and it may be in a file instead, named by a variable of the
 * same name with `_FILE` appended.
 */
export function secret<Setting extends object>(setting: Setting): Setting {
  SECRETS.add(setting);
  return setting;
}

export const isSecret = (setting: object): boolean => SECRETS.has(setting);
