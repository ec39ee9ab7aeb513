import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore, type SqliteSettings } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TestDatabase } from '../../store/store-suite.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { writeMigratedFile } from './migrated-file.ts';

/** An SQLite file in its own folder. */
export interface TemporaryDatabase extends TestDatabase {
  readonly folder: string;
  readonly file: string;
}

/** The first store that opens it finds an empty database, or with `isNew` no file, and then creates it. */
export function temporaryDatabase(settings: SqliteSettings = {}, { isNew = false } = {}): TemporaryDatabase {
  const { path: folder, remove } = temporaryFolder();
  const file = join(folder, 'data', 'hospital.db');
  const opened: Store[] = [];
  return {
    folder,
    file,
    open: async () => {
      if (!isNew && !existsSync(file)) await writeMigratedFile(file);
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
