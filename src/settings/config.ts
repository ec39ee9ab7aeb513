import { quoted } from '../vocabulary/text.ts';
import { ACCESS_SETTINGS, accessMistakes, LIMIT_SETTINGS, tlsOf } from './access-settings.ts';
import { DATABASE_SETTINGS, locationOf } from './database-settings.ts';
import { HOSPITAL_SETTINGS } from './hospital-settings.ts';
import { isOfOthers, settingMeantBy } from './misspelt-settings.ts';
import { MONITORING_SETTINGS, RETENTION_SETTINGS } from './monitoring-settings.ts';
import { namedText } from './named-file.ts';
import { nodeMistakes } from './node-settings.ts';
import { SERVER_SETTINGS } from './server-settings.ts';
import type { Setting, SettingGroup, ValuesOf } from './setting.ts';
import { SMS_SETTINGS } from './sms-settings.ts';

/** The settings by topic, as the documentation lists them. */
export const SETTING_GROUPS: readonly { readonly title: string; readonly settings: readonly Setting[] }[] = [
  { title: 'The server', settings: Object.values(SERVER_SETTINGS) },
  { title: 'Access', settings: Object.values(ACCESS_SETTINGS) },
  { title: 'Limits', settings: Object.values(LIMIT_SETTINGS) },
  { title: 'The database', settings: Object.values(DATABASE_SETTINGS) },
  { title: 'The hospital', settings: Object.values(HOSPITAL_SETTINGS) },
  { title: 'Operation', settings: [...Object.values(MONITORING_SETTINGS), ...Object.values(RETENTION_SETTINGS)] },
  { title: 'Text messages', settings: Object.values(SMS_SETTINGS) },
];

const SETTINGS = SETTING_GROUPS.flatMap(({ settings }) => settings);

/** Reads each group of settings. What a value means is said where the setting is declared. */
function configOf(read: <Group extends SettingGroup>(group: Group) => ValuesOf<Group>, environment: Environment) {
  const access = read(ACCESS_SETTINGS);
  const database = read(DATABASE_SETTINGS);
  const { publicUrl, ...server } = read(SERVER_SETTINGS);
  return {
    ...server,
    publicUrl,
    allowedHosts: [...server.allowedHosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])],
    access: { ...access, tls: tlsOf(access) },
    limits: read(LIMIT_SETTINGS),
    database: locationOf(database),
    /** Whether an empty database may be filled. */
    createDatabase: database.create || database.demoData,
    demoData: database.demoData,
    hospital: read(HOSPITAL_SETTINGS),
    monitoring: read(MONITORING_SETTINGS),
    retentionDays: read(RETENTION_SETTINGS),
    sms: read(SMS_SETTINGS),
    /** Those of settings (`NAME_FILE`), the clients' hashes and the TLS key. */
    secretFiles: [
      ...SETTINGS.filter(({ isSecret }) => isSecret).map(({ name }) => environment[`${name}_FILE`]?.trim()),
      access.clientsFile,
      tlsOf(access)?.key,
    ].flatMap((file) => file || []),
  };
}

export type Config = Readonly<ReturnType<typeof configOf>>;

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
  const mistakes = [...misspelt(environment), ...nodeMistakes(environment)];
  const values = new Map<Setting, unknown>();
  for (const setting of SETTINGS) {
    const before = mistakes.length;
    const value = readSetting(setting, environment, mistakes);
    if (mistakes.length === before) values.set(setting, value);
  }
  const read = <Group extends SettingGroup>(group: Group) =>
    Object.fromEntries(Object.entries(group).map(([name, setting]) => [name, values.get(setting)])) as ValuesOf<Group>;
  const isAccessRead = Object.values(ACCESS_SETTINGS).every((setting) => values.has(setting));
  if (isAccessRead) mistakes.push(...accessMistakes(read(ACCESS_SETTINGS)));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const config = configOf(read, environment);
  const { host, port, monitoring, refusals, results } = config;
  const { operations } = monitoring;
  const isShared = [operations?.host, '0.0.0.0', '::'].includes(host) || operations?.host === '0.0.0.0';
  if (port !== 0 && operations?.port === port && isShared) {
    mistakes.push(`OPERATIONS_PORT=${port}: expected another port than that of PORT`);
  }
  if (results === 'none' && refusals === 'result') {
    mistakes.push('RESULTS=none: expected REFUSALS=fault with it, because nobody could tell a refusal from a success');
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

function misspelt(environment: Environment): string[] {
  const settings = SETTINGS.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]));
  return Object.keys(environment).flatMap((name) => {
    const value = environment[name]?.trim();
    // Windows reads a variable by its name in any case.
    const isRead = value === environment[name.toUpperCase()]?.trim();
    const meant = value ? settingMeantBy(isRead ? name.toUpperCase() : name, settings) : undefined;
    return meant === undefined ? [] : [`${name}: no setting has this name; expected ${meant}, or no such variable`];
  });
}

function readSetting({ name, schema, isSecret }: Setting, environment: Environment, mistakes: string[]): unknown {
  let value = environment[name]?.trim() || undefined;
  if (value !== undefined && isOfOthers(name, value)) value = undefined;
  const file = environment[`${name}_FILE`]?.trim() || undefined;
  if (isSecret && file !== undefined) {
    if (value === undefined) value = secretIn(file, `${name}_FILE`, mistakes);
    else mistakes.push(`${name}_FILE=${file}: expected ${name} or ${name}_FILE, not both`);
  }
  const { data, error } = schema.safeParse(value, READ_ONCE);
  for (const { message } of error?.issues ?? []) {
    mistakes.push(`${name}=${isSecret ? '…' : quoted(withoutPassword(value ?? ''))}: ${message}`);
  }
  return data;
}

/** Zod would compile a reader for each schema, which is worthwhile only if it reads many values. */
const READ_ONCE = { jitless: true };

/** The text of a file that contains one secret. The line end that editors add is not part of it. */
function secretIn(file: string, name: string, mistakes: string[]): string | undefined {
  try {
    return namedText(file).trim();
  } catch (error) {
    mistakes.push(`${name}=${file}: ${(error as Error).message}`);
    return undefined;
  }
}

/** An address that may contain no password may contain one by mistake. */
const withoutPassword = (value: string): string => value.replace(/^([a-z]+:\/\/[^/:]*:)[^/]*@/, '$1…@');
