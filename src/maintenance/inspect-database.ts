import type { DatabaseLocation } from '../store/database-location.ts';
import type { DatabaseState } from './database-state.ts';
import { inspectPostgres } from './inspect-postgres.ts';
import { inspectSqlite } from './inspect-sqlite.ts';

/** Inspects a database without changing it; throws if something prevents that. `clock` returns milliseconds since the epoch. */
export const inspectDatabase = (location: DatabaseLocation, clock: () => number): Promise<DatabaseState> =>
  location.kind === 'sqlite' ? inspectSqlite(location.path) : inspectPostgres(location, clock);
