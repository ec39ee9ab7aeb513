import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { Kysely, SqliteDialect } from 'kysely';
import { firstLight } from '../../../src/store/migrations/0001-first-light.ts';
import { textMessages } from '../../../src/store/migrations/0004-text-messages.ts';
import type { Schema } from '../../../src/store/schema.ts';
import { sqliteDifferences } from '../../../src/store/sqlite/sqlite-differences.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../support/database/temporary-database.ts';

describe('Messages queued by a version without an outbox', () => {
  let database: TemporaryDatabase;
  beforeEach(() => {
    database = temporaryDatabase();
    mkdirSync(dirname(database.file));
  });
  afterEach(() => database.dispose());

  it('are no longer sent: they count as expired', async () => {
    const file = new Database(database.file);
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: file }) });
    await firstLight(db, sqliteDifferences);
    file.exec("INSERT INTO message VALUES (7, '+919845012345', 'See you.', 0, 1, 'GSM-7', 1, 1, 1000)");
    await textMessages(db, sqliteDifferences);
    const row = file.prepare('SELECT * FROM message').get();
    expect(row).to.include({ id: 7, text: 'See you.', status: 6, last_code: 'never-sent', finished_on: 1000 });
    expect(row).to.include({ queued_on: 1000, attempts: 0, due_on: 0 });
    await db.destroy();
  });
});
