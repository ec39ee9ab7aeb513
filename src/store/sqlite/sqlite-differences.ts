import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { DatabaseDifferences, DeletionWindow } from '../database-differences.ts';
import { guardAppointments, PATIENT_OVERLAP, SEAT_TAKEN } from './guard-appointments.ts';
import { guardOverlaps } from './guard-overlaps.ts';
import { isDamage } from './is-damage.ts';
import { replaceChecks } from './replace-checks.ts';

const exceptInWindow = ({ age, mark }: DeletionWindow) =>
  `WHEN NOT EXISTS (SELECT 1 FROM service_mark WHERE name = '${mark}' AND OLD.${age} < CAST(value AS INTEGER))`;

export const sqliteDifferences: DatabaseDifferences = {
  endTable: (table) => table.modifyEnd(sql`strict`),
  // The transaction of a migration begins as a writer, and SQLite has only one at a time.
  lockTable: async () => {},
  countedKey: (column) => column.primaryKey().autoIncrement().notNull(),
  instant: 'integer',
  wallMinute: 'integer',
  guardAppointments,
  guardOverlaps,
  numberAppointments: async (db, last) => {
    const statements = [
      'CREATE TABLE appointment_number (last_id INTEGER NOT NULL) STRICT',
      `INSERT INTO appointment_number VALUES (${last})`,
      `CREATE TRIGGER appointment_counts_number AFTER INSERT ON appointment
        WHEN NEW.id > (SELECT last_id FROM appointment_number) BEGIN UPDATE appointment_number SET last_id = NEW.id; END`,
      'CREATE VIEW next_appointment_id AS SELECT last_id + 1 AS next_id FROM appointment_number',
    ];
    for (const text of statements) await sql.raw(text).execute(db);
  },
  lastCounted: async (db, table) => {
    const { rows } = await sql<{ seq: number }>`SELECT seq FROM sqlite_sequence WHERE name = ${table}`.execute(db);
    return rows[0]?.seq ?? 0;
  },
  countChanges: async (db, tables) => {
    for (const table of tables) {
      for (const event of ['INSERT', 'UPDATE', 'DELETE']) {
        const trigger = `CREATE TRIGGER ${table}_counts_${event.toLowerCase()} AFTER ${event} ON ${table}
          BEGIN UPDATE reference_version SET version = version + 1; END`;
        await sql.raw(trigger).execute(db);
      }
    }
  },
  makeAppendOnly: async (db, table, window) => {
    for (const event of ['UPDATE', 'DELETE']) {
      const exception = event === 'UPDATE' || window === undefined ? '' : exceptInWindow(window);
      const trigger = `CREATE TRIGGER ${table}_refuses_${event.toLowerCase()} BEFORE ${event} ON ${table} ${exception}
        BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;
      await sql.raw(trigger).execute(db);
    }
  },
  // REPLACE deletes conflicting rows without firing the delete triggers, unless the connection has recursive_triggers on. In this trigger,
  // a row whose id is to be generated has no id yet; it reads as -1.
  refuseReplacing: async (db, table) => {
    const trigger = `CREATE TRIGGER ${table}_refuses_replacement BEFORE INSERT ON ${table}
      WHEN NEW.id > 0 AND EXISTS (SELECT 1 FROM ${table} WHERE id = NEW.id)
      BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;
    await sql.raw(trigger).execute(db);
  },
  cheapenChecks: replaceChecks,
  conflictOf: (error) => {
    if (!(error instanceof Database.SqliteError)) return undefined;
    if (error.message === SEAT_TAKEN) return 'seat-taken';
    if (error.message === PATIENT_OVERLAP) return 'patient-overlap';
    return undefined;
  },
  // SQLite's primary result codes. Busy and locked are temporary. The others need an operator, but a caller may still retry later.
  isUnavailable: (error) =>
    isDamage(error) ||
    (error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/.test(error.code)),
};
