import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TestDatabase } from '../../databases/store/store-suite.ts';
import { cleanUpLater } from '../clean-up.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { writeMigratedFile } from './migrated-file.ts';

/** An SQLite file in its own folder. */
export interface TemporaryDatabase extends TestDatabase {
  readonly folder: string;
  readonly file: string;
}

export interface TemporarySettings {
  /** The file does not exist; by default it has the schema and no rows. */
  readonly isNew?: boolean;
  /** How long a write waits for another process. */
  readonly timeoutMs?: number;
}

/** The first store that opens it finds an empty database, or with `isNew` no file, and then creates it. */
export function temporaryDatabase({ isNew = false, timeoutMs = 5000 }: TemporarySettings = {}): TemporaryDatabase {
  const { path: folder, remove } = temporaryFolder();
  const file = join(folder, 'data', 'hospital.db');
  const opened: Store[] = [];
  return {
    folder,
    file,
    open: async () => {
      if (!isNew && !existsSync(file)) await writeMigratedFile(file);
      const store = await openStore({ kind: 'sqlite', path: file, timeoutMs });
      opened.push(store);
      return store;
    },
    dispose: cleanUpLater(async () => {
      for (const store of opened) await store.close();
      remove();
    }),
  };
}
