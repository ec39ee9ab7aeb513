import type { OpenNotice } from './open-notice.ts';
import type { PostgresLocation } from './postgres/postgres-pool.ts';
import type { Store } from './store.ts';

/** An SQLite database. */
interface SqliteLocation {
  readonly kind: 'sqlite';
  /** A file, or `:memory:`. */
  readonly path: string;
  /** How long a write waits for another process, in milliseconds; default 5 s. */
  readonly timeout?: number;
}

/** Where the data is kept; `settings/database-settings.ts` reads it from DATABASE_URL. */
export type DatabaseLocation = SqliteLocation | PostgresLocation;

export interface OpenOptions {
  /**
   * Neither create a database nor change its schema: if it does not exist or has a different schema, throw ServiceError `Unavailable` with
   * the reason. For callers that only read.
   */
  readonly mustExist?: boolean | undefined;
  /** false: throws SetUpError if the database would have to be created; default true. */
  readonly mayCreate?: boolean | undefined;
  /** For a cluster of several servers: called with the address when a different server begins to accept writes. */
  readonly onMove?: ((address: string) => void) | undefined;
  /**
   * Which clock decides when something that several processes see expires, such as a lease: by default the server's, if there is one. A
   * test uses the clock that it sets.
   */
  readonly sharedClock?: 'server' | 'process' | undefined;
  readonly tell?: ((notice: OpenNotice) => void) | undefined;
}

/**
 * Opens the database and, unless it must exist as it is, brings its schema up to date. This is the only place that chooses between the
 * databases, and only the chosen database's driver is loaded.
 */
export async function openStore(location: DatabaseLocation, options: OpenOptions = {}): Promise<Store> {
  if (location.kind === 'sqlite') {
    const { openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
    return openSqliteStore(location.path, { ...options, busyLimit: location.timeout });
  }
  const { openPostgresStore } = await import('./postgres/open-postgres-store.ts');
  return openPostgresStore(location, options);
}
