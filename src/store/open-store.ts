import type { DatabaseLocation, OpenOptions } from './database-location.ts';
import type { Store } from './store.ts';

/**
 * Opens the database and, unless it must exist as it is, brings its schema up to date. This is the only place that chooses between the
 * databases, and only the chosen database's driver is loaded.
 */
export async function openStore(location: DatabaseLocation, options: OpenOptions = {}): Promise<Store> {
  if (location.kind === 'sqlite') {
    const { openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
    return openSqliteStore(location, options);
  }
  const { openPostgresStore } = await import('./postgres/open-postgres-store.ts');
  return openPostgresStore(location, options);
}
