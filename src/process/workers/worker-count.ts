import { type Config, ConfigError } from '../../settings/config.ts';

/** What the number of processes depends on, apart from the configuration. */
interface Host {
  readonly cores: number;
  readonly platform: NodeJS.Platform;
}

/** How many processes a configuration requires. Throws ConfigError if the database or the system allows only one. */
export function workerCount(config: Config, { cores, platform }: Host): number {
  const { workers } = config.monitoring;
  const count = workers === 'auto' ? cores : workers;
  if (count === 1) return count;
  const reason = reasonForOne(config, platform);
  if (reason === undefined) return count;
  // No number was configured, so there are as many as possible, which is one.
  if (workers === 'auto') return 1;
  throw new ConfigError([`WORKERS=${count}: expected 1, because ${reason}`]);
}

function reasonForOne({ database }: Config, platform: NodeJS.Platform): string | undefined {
  if (database.kind === 'sqlite' && database.path === ':memory:') return 'a database in memory belongs to one process';
  // Workers are told by a signal to finish their calls. Windows has no signals, and would end a worker in the middle of its calls.
  if (platform === 'win32') return 'Windows cannot tell a worker to finish its calls';
  return undefined;
}
