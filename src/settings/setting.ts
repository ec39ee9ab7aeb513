import { z } from 'zod';
import { oneOf } from '../vocabulary/text.ts';

/** How the text of an environment variable is read. `describe` sets its meaning for the documentation, and the default is given as text. */
export type SettingSchema<Value> = z.ZodType<Value, string | undefined>;

export interface Setting<Value = unknown> {
  readonly name: string;
  readonly schema: SettingSchema<Value>;
  /**
   * Nobody may see its value: it is not quoted in mistakes, and it may be in a file instead, named by a variable of the same name with
   * `_FILE` appended.
   */
  readonly isSecret: boolean;
}

/** The settings of one part of the service, by the names of their values. */
export type SettingGroup = Readonly<Record<string, Setting>>;

export type ValuesOf<Group extends SettingGroup> = {
  readonly [Name in keyof Group]: Group[Name] extends Setting<infer Value> ? Value : never;
};

export const setting = <Value>(name: string, schema: SettingSchema<Value>): Setting<Value> => ({
  name,
  schema,
  isSecret: false,
});

export const secret = <Value>(name: string, schema: SettingSchema<Value>): Setting<Value> => ({
  ...setting(name, schema),
  isSecret: true,
});

export const text = (meaning: string, fallback: string) => z.string().default(fallback).describe(meaning);

/** A text that is undefined if it is not set. */
export const optional = (meaning: string) => text(meaning, '').transform((v) => (v === '' ? undefined : v));

export const flag = (meaning: string, fallback: 'true' | 'false') =>
  text(meaning, fallback)
    .pipe(z.enum(['true', 'false'], 'expected true or false'))
    .transform((v) => v === 'true');

const isCount = (v: string, least: number, most: number): boolean =>
  /^\d{1,15}$/.test(v) && Number(v) >= least && Number(v) <= most;

export const count = (meaning: string, fallback: number, least: number, most: number) =>
  text(meaning, String(fallback))
    .refine((v) => isCount(v, least, most), `expected a whole number from ${least} to ${most}`)
    .transform(Number);

/** A number that is undefined if it is not set. */
export const optionalCount = (meaning: string, least: number, most: number) =>
  text(meaning, '')
    .refine((v) => v === '' || isCount(v, least, most), `expected a whole number from ${least} to ${most}`)
    .transform((v) => (v === '' ? undefined : Number(v)));

/** A number of days; infinite for `never`, undefined if it is not set. */
export const period = (meaning: string, fallback: string, least: number, most: number) =>
  text(`${meaning}; \`never\` keeps them`, fallback)
    .refine(
      (v) => v === '' || v === 'never' || isCount(v, least, most),
      `expected never or a whole number from ${least} to ${most}`,
    )
    .transform((v) => (v === '' ? undefined : v === 'never' ? Number.POSITIVE_INFINITY : Number(v)));

export const choice = <const Words extends readonly [string, ...string[]]>(
  meaning: string,
  fallback: Words[number],
  words: Words,
) => text(meaning, fallback).pipe(z.enum(words, `expected ${oneOf(words)}`));

/** Comma-separated values, without surrounding white space; none of them empty. */
export const list = (meaning: string, fallback: string) =>
  text(meaning, fallback).transform((v): readonly string[] =>
    v
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

/** Reads a text by a function that returns what is expected instead if the text is wrong. */
export const parsed = <Value extends object | undefined>(
  meaning: string,
  fallback: string,
  read: (value: string) => Value | string,
) =>
  text(meaning, fallback).transform((value, context) => {
    const result = read(value);
    if (typeof result !== 'string') return result;
    context.addIssue({ code: 'custom', message: result });
    return z.NEVER;
  });
