import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { describeOldDatabase } from '../old-database-suite.ts';

describeOldDatabase(
  'sqlite',
  async () => {
    const database = temporaryDatabase();
    mkdirSync(dirname(database.file));
    return {
      ...database,
      execute: async (sql) => {
        const file = new Database(database.file);
        file.exec(sql);
        file.close();
      },
    };
  },
  { before: '', after: "UPDATE sqlite_sequence SET seq = 10017 WHERE name = 'appointment'" },
);
