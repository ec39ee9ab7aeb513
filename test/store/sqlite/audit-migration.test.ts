import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { Kysely, SqliteDialect } from 'kysely';
import { firstLight } from '../../../src/store/migrations/0001-first-light.ts';
import { referenceData } from '../../../src/store/migrations/0002-reference-data.ts';
import { historyAndIdempotency } from '../../../src/store/migrations/0003-history-and-idempotency.ts';
import type { Schema } from '../../../src/store/schema.ts';
import { sqliteDifferences } from '../../../src/store/sqlite/sqlite-differences.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../support/database/temporary-database.ts';

describe('The audit of a database with a history of appointments', () => {
  let database: TemporaryDatabase;
  beforeEach(() => {
    database = temporaryDatabase();
    mkdirSync(dirname(database.file));
  });
  afterEach(() => database.dispose());

  /** A database as an earlier version left it: one appointment of doctor 102, booked and moved. */
  async function earlierVersion(): Promise<void> {
    const file = new Database(database.file);
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: file }) });
    for (const step of [firstLight, referenceData, historyAndIdempotency]) await step(db, sqliteDifferences);
    file.exec(`
      INSERT INTO center VALUES (1, 'A', 'Asia/Kolkata');
      INSERT INTO doctor VALUES (1, 102, 'Dr. B', NULL, NULL, NULL, 15, 1, 1);
      INSERT INTO appointment VALUES
        (7, 1, 102, 20000, 28800000, 28800015, 1, 1, 3, 1, 'R-1', NULL, NULL, 'C', 'F', NULL, NULL, NULL, NULL, '+911', NULL, 1, 1);
      INSERT INTO appointment_history VALUES
        (1, 7, 1000, 'Book', NULL, 2, NULL, 28799985, 'soap11', 'id-1'),
        (2, 7, 2000, 'Reschedule', 2, 2, 28799985, 28800000, 'httpPost', 'id-2');
      CREATE TABLE kysely_migration (name varchar(255) NOT NULL PRIMARY KEY, timestamp varchar(255) NOT NULL);
      CREATE TABLE kysely_migration_lock (id varchar(255) NOT NULL PRIMARY KEY, is_locked integer DEFAULT 0 NOT NULL);
      INSERT INTO kysely_migration_lock VALUES ('migration_lock', 0);
      INSERT INTO kysely_migration VALUES ('0001-first-light', '1'), ('0002-reference-data', '2'),
        ('0003-history-and-idempotency', '3');
    `);
    await db.destroy();
  }

  it('begins with that history, which no other table has', async () => {
    await earlierVersion();
    const store = await database.open();
    const rows = await store.read(({ audit }) => audit.page({ appointmentId: 7 }));
    const same = { outcome: 0, resultCode: 0, client: 'anonymous', centerId: 1, doctorId: 102, appointmentId: 7 };
    expect(rows).to.have.length(2);
    expect(rows[0]).to.include({
      ...same,
      recordedOn: 1000,
      operation: 'Fetch_Details',
      action: 'C',
      moveName: 'Book',
      fromStatus: null,
      toStatus: 2,
      fromStart: null,
      toStart: 28_799_985,
      transport: 'soap11',
      correlationId: 'id-1',
    });
    expect(rows[1]).to.include({
      ...same,
      recordedOn: 2000,
      operation: 'Appointment_Status_Updates',
      action: 'U',
      moveName: 'Reschedule',
      fromStatus: 2,
      toStatus: 2,
      fromStart: 28_799_985,
      toStart: 28_800_000,
    });
    const stranger = new Database(database.file, { readonly: true });
    const tables = stranger.prepare("SELECT name FROM sqlite_master WHERE name LIKE '%history%'").pluck().all();
    stranger.close();
    expect(tables).to.deep.equal([]);
  });
});
