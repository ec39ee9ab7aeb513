import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TestDatabase } from '../../databases/store/store-suite.ts';
import { cleanUpLater } from '../clean-up.ts';
import { temporaryDatabase } from './temporary-database.ts';
import { newPostgresDatabase, ON_POSTGRES } from './test-database.ts';

/** A store on its own database, which is removed when the store closes: in memory, or on the server that the tests were given. */
export async function openTestStore(): Promise<Store> {
  const { url, remove } = ON_POSTGRES ? await newPostgresDatabase() : { url: 'sqlite::memory:', remove: () => {} };
  const store = await openStore(readConfig({ DATABASE_URL: url }).database);
  const closeStore = store.close.bind(store);
  const close = cleanUpLater(async () => {
    await closeStore();
    await remove();
  });
  return Object.assign(store, { close });
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
      const store = await openStore(readConfig({ DATABASE_URL: url }).database);
      opened.push(store);
      return store;
    },
    dispose: cleanUpLater(async () => {
      for (const store of opened) await store.close();
      await remove();
    }),
  };
}
