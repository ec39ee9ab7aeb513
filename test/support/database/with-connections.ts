import { DatabaseSync } from 'node:sqlite';
import { firstValue } from '../../../src/store/sqlite/database-file.ts';
import type { Store } from '../../../src/store/store.ts';

/** Opens a store and returns its connections as well, the writing one first: out of an operator's reach, but not of a test's. */
export async function withConnections(open: () => Promise<Store>) {
  const seen = new Set<DatabaseSync>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (...asked) {
    seen.add(this);
    return prepare.apply(this, asked);
  };
  try {
    const store = await open();
    await store.read(({ facts }) => facts.isEmpty());
    return { store, connections: [...seen] as [DatabaseSync, DatabaseSync] };
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
}

/** Lets the file of a connection grow no further, as on a full disk. */
export const fillDisk = (database: DatabaseSync): void =>
  database.exec(`PRAGMA max_page_count = ${firstValue(database, 'PRAGMA page_count')}`);
