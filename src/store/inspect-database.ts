import type { DatabaseLocation } from './database-location.ts';
import type { DatabaseState } from './database-state.ts';
import { inspectPostgres } from './postgres/inspect-postgres.ts';
import { inspectSqlite } from './sqlite/inspect-sqlite.ts';

/** Inspects a database without changing it; throws if something prevents that. `clock` returns milliseconds since the epoch. */
export const inspectDatabase = (location: DatabaseLocation, clock: () => number): Promise<DatabaseState> =>
  location.kind === 'sqlite' ? inspectSqlite(location.path) : inspectPostgres(location, clock);
