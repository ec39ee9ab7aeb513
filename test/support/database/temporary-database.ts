import { join } from 'node:path';
import { openSqliteStore, type SqliteSettings } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TestDatabase } from '../../store/store-suite.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';

/** A SQLite file in a folder of its own. */
export interface TemporaryDatabase extends TestDatabase {
  readonly folder: string;
  readonly file: string;
}

export function temporaryDatabase(settings: SqliteSettings = {}): TemporaryDatabase {
  const { path: folder, remove } = temporaryFolder();
  const file = join(folder, 'data', 'hospital.db');
  const opened: Store[] = [];
  return {
    folder,
    file,
    open: async () => {
      const store = await openSqliteStore(file, settings);
      opened.push(store);
      return store;
    },
    dispose: async () => {
      for (const store of opened) await store.close();
      remove();
    },
  };
}
