import type { OpenNotice } from './open-notice.ts';
import { openPostgresStore } from './postgres/open-postgres-store.ts';
import type { PostgresLocation } from './postgres/postgres-pool.ts';
import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import type { Store } from './store.ts';

/** An SQLite database. */
interface SqliteLocation {
  readonly kind: 'sqlite';
  /** A file, or `:memory:`. */
  readonly path: string;
  /** How long a write waits for another process, in milliseconds; 5 s unless given. */
  readonly timeout?: number;
}

/** Where the data is kept; `settings/database-settings.ts` reads it from DATABASE_URL. */
export type DatabaseLocation = SqliteLocation | PostgresLocation;

export interface OpenOptions {
  /**
   * Neither make a database nor change its schema: one that isn't there, or has another schema, throws ServiceError `Unavailable`
   * that says so. For what only reads.
   */
  readonly mustExist?: boolean | undefined;
  /** false: throws SetUpError where the database would have to be made; true unless given. */
  readonly mayCreate?: boolean | undefined;
  /** Of a database on several servers: told when another one than before takes the writes, with its address. */
  readonly onMove?: ((address: string) => void) | undefined;
  readonly tell?: ((notice: OpenNotice) => void) | undefined;
}

/** Opens the database and, unless it must exist as it is, brings its schema up to date. The one place where a database is chosen. */
export const openStore = (location: DatabaseLocation, options: OpenOptions = {}): Promise<Store> =>
  location.kind === 'sqlite'
    ? openSqliteStore(location.path, { ...options, busyLimit: location.timeout })
    : openPostgresStore(location, options);
