import type { DatabaseState } from './database-state.ts';
import type { DatabaseLocation } from './open-store.ts';
import { inspectPostgres } from './postgres/inspect-postgres.ts';
import { inspectSqlite } from './sqlite/inspect-sqlite.ts';

/** Looks at a database without changing it; throws what is in the way. `clock` gives milliseconds since the epoch. */
export const inspectDatabase = (location: DatabaseLocation, clock: () => number): Promise<DatabaseState> =>
  location.kind === 'sqlite' ? inspectSqlite(location.path) : inspectPostgres(location, clock);
