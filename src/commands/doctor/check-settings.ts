import { type Finding, ok, warning, wrong } from '../../maintenance/finding.ts';
import { type Config, ConfigError, readConfig, SETTING_GROUPS } from '../../settings/config.ts';

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

/** The service writes to its standard output. Only its supervisor knows who stores that. */
export function checkLog({ logLevel }: Config): Finding {
  if (logLevel === 'silent') {
    return warning('log', `LOG_LEVEL=${logLevel}: failures are not logged; set it to info.`);
  }
  const text = 'to standard output, which the supervisor has to keep (journald, docker logs, a file)';
  return logLevel === 'debug'
    ? warning('log', `${logLevel}, ${text}; one line for every call fills the disk.`)
    : ok('log', `${logLevel}, ${text}`);
}
