import { type Config, ConfigError } from '../../settings/config.ts';

/** How many processes a configuration asks for, on a machine of so many cores; throws ConfigError if the database serves only one. */
export function workerCount({ database, monitoring }: Config, cores: number): number {
  const count = monitoring.workers === 'auto' ? cores : monitoring.workers;
  const inMemory = database.kind === 'sqlite' && database.path === ':memory:';
  if (!inMemory || count === 1) return count;
  // Nobody asked for a number: one is as many as such a database can have.
  if (monitoring.workers === 'auto') return 1;
  throw new ConfigError([`WORKERS=${count}: expected 1, since a database in memory belongs to one process`]);
}
