import { type Finding, ok, wrong } from '../../maintenance/finding.ts';
import { type Config, ConfigError, readConfig } from '../../settings/config.ts';

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
