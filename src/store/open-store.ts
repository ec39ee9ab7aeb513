import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import type { Store } from './store.ts';

/** Where the data is kept; `config.ts` reads it from DATABASE_URL. */
export interface DatabaseLocation {
  readonly kind: 'sqlite';
  /** A file, or `:memory:`. */
  readonly path: string;
}

/** Opens the database and brings its schema up to date. The one place where a database is chosen. */
export const openStore = (location: DatabaseLocation): Promise<Store> => openSqliteStore(location.path);
