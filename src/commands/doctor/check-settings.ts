import { type Finding, ok, warning, wrong } from '../../maintenance/finding.ts';
import { type Config, ConfigError, readConfig, SETTING_GROUPS } from '../../settings/config.ts';
import { RETENTION_SETTINGS } from '../../settings/monitoring-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration, if it can be read, and each mistake in it. */
export function checkConfiguration(environment: Environment): {
  readonly config: Config | undefined;
  readonly findings: readonly Finding[];
} {
  try {
    return { config: readConfig(environment), findings: [ok('configuration', 'All settings can be read.')] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.mistakes.map((mistake) =>
      wrong('configuration', `${mistake}; docs/settings.md lists all settings.`),
    );
    return { config: undefined, findings };
  }
}

/** Files that contain secrets: settings in files named by `NAME_FILE`, the clients' hashes and the TLS key. */
export function secretFiles(environment: Environment, { access }: Config): readonly string[] {
  const settings = SETTING_GROUPS.flatMap(({ settings: group }) => group)
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => environment[`${name}_FILE`]?.trim());
  return [...settings, access.clientsFile, access.tls?.key].flatMap((file) => file || []);
}

/** Laws want a period for what is kept about people, or a decision that there is none. */
export function checkRetention({ retentionDays }: Config): readonly Finding[] {
  const findings = Object.entries(RETENTION_SETTINGS).flatMap(([kind, { name }]) =>
    retentionDays[kind as keyof typeof retentionDays] === undefined
      ? warning(
          'retention',
          `${name} is not set: ${FOREVER[kind as keyof typeof FOREVER]}; set a number of days, or never.`,
        )
      : [],
  );
  return findings.length > 0 ? findings : [ok('retention', 'Each kind of data has a period, or is never deleted.')];
}

const FOREVER: Readonly<Record<keyof Config['retentionDays'], string>> = {
  messages: 'texts and phone numbers of messages stay forever',
  appointments: 'names, phone numbers and visits of patients stay forever',
  feedback: 'inpatient numbers and comments stay forever',
  auditEvents: 'who saw and changed what stays forever, with addresses of callers',
};
