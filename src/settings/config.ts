import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { shown } from '../vocabulary/text.ts';
import { ACCESS_SETTINGS, accessConfig, accessMistakes } from './access-settings.ts';
import { BROWSER_SETTINGS, browserConfig } from './browser-settings.ts';
import { DATABASE_SETTINGS, databaseConfig } from './database-settings.ts';
import { HOSPITAL_SETTINGS, hospitalConfig } from './hospital-settings.ts';
import { LIMIT_SETTINGS, limitConfig } from './limit-settings.ts';
import { misspeltSettings } from './misspelt-settings.ts';
import { MONITORING_SETTINGS, monitoringConfig } from './monitoring-settings.ts';
import { type RemovedSetting, removedSettings } from './removed-settings.ts';
import { SERVER_SETTINGS, serverConfig } from './server-settings.ts';
import { isSecret, type SettingShape } from './setting.ts';
import { SMS_SETTINGS, smsConfig } from './sms-settings.ts';

/** The settings by topic, as the documentation lists them. */
export const SETTING_GROUPS: readonly { readonly title: string; readonly settings: SettingShape }[] = [
  { title: 'The server', settings: SERVER_SETTINGS },
  { title: 'Access', settings: ACCESS_SETTINGS },
  { title: 'Limits', settings: LIMIT_SETTINGS },
  { title: 'Browsers', settings: BROWSER_SETTINGS },
  { title: 'The database', settings: DATABASE_SETTINGS },
  { title: 'The hospital', settings: HOSPITAL_SETTINGS },
  { title: 'Operation', settings: MONITORING_SETTINGS },
  { title: 'Text messages', settings: SMS_SETTINGS },
];

const SETTINGS = z.object({
  ...SERVER_SETTINGS,
  ...ACCESS_SETTINGS,
  ...LIMIT_SETTINGS,
  ...BROWSER_SETTINGS,
  ...DATABASE_SETTINGS,
  ...HOSPITAL_SETTINGS,
  ...MONITORING_SETTINGS,
  ...SMS_SETTINGS,
});

/** Zod would compile a reader for each object, which is worthwhile only if it reads many values. */
const READ_ONCE = { jitless: true };

const configOf = (s: z.output<typeof SETTINGS>) => ({
  ...serverConfig(s),
  ...accessConfig(s),
  ...limitConfig(s),
  ...browserConfig(s),
  ...databaseConfig(s),
  ...hospitalConfig(s),
  ...monitoringConfig(s),
  ...smsConfig(s),
});

/** The configuration read from the environment; each part is described with its settings. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/** All mistakes in an environment. */
export class ConfigError extends Error {
  /** One sentence each. */
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(
      `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((m) => `  ${m}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings; an empty variable counts as unset. Throws ConfigError with every mistake. A variable whose name is nearly that of a
 * setting is also a mistake, because whoever set it believes that it takes effect.
 */
export function readConfig(environment: Environment): Config {
  const mistakes = misspelt(environment).map(
    ({ name, meant }) => `${name}: no setting has this name; expected ${meant}, or no such variable`,
  );
  const given: Record<string, string | undefined> = {};
  for (const [name, setting] of Object.entries(SETTINGS.shape)) {
    given[name] = environment[name]?.trim() || undefined;
    const file = environment[`${name}_FILE`]?.trim() || undefined;
    if (!isSecret(setting) || file === undefined) continue;
    if (given[name] !== undefined) mistakes.push(`${name}_FILE=${file}: expected ${name} or ${name}_FILE, not both`);
    else given[name] = secretIn(file, `${name}_FILE`, mistakes);
  }
  const read = SETTINGS.safeParse(given, READ_ONCE);
  // Reported together with the mistakes in other settings.
  const access = z.object(ACCESS_SETTINGS).safeParse(given, READ_ONCE);
  if (access.success) mistakes.push(...accessMistakes(access.data));
  if (read.success && mistakes.length === 0) return configOf(read.data);
  throw new ConfigError([...mistakes, ...(read.error?.issues ?? []).map((issue) => mistakeOf(issue, given))]);
}

const namesIn = (environment: Environment): readonly string[] =>
  Object.keys(environment).filter((name) => environment[name]?.trim());

/** Variables that are set but are no longer settings. */
export const removed = (environment: Environment): readonly RemovedSetting[] => removedSettings(namesIn(environment));

function misspelt(environment: Environment) {
  const settings = new Map(Object.entries(SETTINGS.shape).map(([name, setting]) => [name, isSecret(setting)]));
  return misspeltSettings(namesIn(environment), settings);
}

/** The text of a file that contains one secret. The line end that editors add is not part of it. */
function secretIn(file: string, name: string, mistakes: string[]): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    mistakes.push(`${name}=${file}: expected a file that can be read`);
    return undefined;
  }
}

/** An address that may contain no password may contain one by mistake. */
const withoutPassword = (value: string): string => value.replace(/^([a-z]+:\/\/[^/:]*:)[^/]*@/, '$1…@');

function mistakeOf({ path, message }: z.core.$ZodIssue, given: Environment): string {
  const name = String(path[0]);
  const setting = (SETTINGS.shape as SettingShape)[name];
  const value = given[name];
  if (value === undefined) return `${name}=${value}: ${message}`;
  return `${name}=${setting !== undefined && isSecret(setting) ? '…' : shown(withoutPassword(value))}: ${message}`;
}
