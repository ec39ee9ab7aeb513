import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TestDatabase } from '../../store/store-suite.ts';
import { temporaryDatabase } from './temporary-database.ts';
import { newPostgresDatabase, ON_POSTGRES } from './test-database.ts';

/** A store on its own database, which is removed when the store closes: in memory, or on the server that the tests were given. */
export async function openTestStore(): Promise<Store> {
  if (!ON_POSTGRES) return openStore({ kind: 'sqlite', path: ':memory:', timeoutMs: 5000 });
  const { url, remove } = await newPostgresDatabase();
  const store = await openStore(readConfig({ DATABASE_URL: url }).database, { sharedClock: 'process' });
  const closeStore = store.close.bind(store);
  return Object.assign(store, {
    close: async () => {
      await closeStore();
      await remove();
    },
  });
}

/** A separate database that several may open: a file, or one on the server that the tests were given. */
export async function newTestDatabase(): Promise<TestDatabase> {
  return ON_POSTGRES ? postgresTestDatabase(await newPostgresDatabase()) : temporaryDatabase();
}

/** Closes what was opened, and removes the database. */
export function postgresTestDatabase({ url, remove }: { readonly url: string; remove(): Promise<void> }): TestDatabase {
  const opened: Store[] = [];
  return {
    open: async () => {
      const store = await openStore(readConfig({ DATABASE_URL: url }).database, { sharedClock: 'process' });
      opened.push(store);
      return store;
    },
    dispose: async () => {
      for (const store of opened) await store.close();
      await remove();
    },
  };
}
