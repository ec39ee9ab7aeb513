import Database from 'better-sqlite3';
import type { Store } from '../../../src/store/store.ts';

/** Opens a store and returns its connections as well, the writing one first: out of an operator's reach, but not of a test's. */
export async function withConnections(open: () => Promise<Store>) {
  const seen = new Set<Database.Database>();
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    seen.add(this);
    return prepare.call(this, sql);
  } as typeof prepare;
  try {
    const store = await open();
    await store.read(({ reference }) => reference.isEmpty());
    return { store, connections: [...seen] };
  } finally {
    Database.prototype.prepare = prepare;
  }
}
