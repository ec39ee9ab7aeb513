import { type SqliteDatabase, sql } from 'kysely';
import { APPOINTMENT_NUMBER, APPOINTMENTS, type Numbers } from '../numbers.ts';

/** Makes a table's numbers continue after the given one, unless they are already beyond it. */
function goOnAfter(database: Pick<SqliteDatabase, 'prepare'>, table: string, last: number): void {
  if (table === APPOINTMENTS) {
    database.prepare(`UPDATE ${APPOINTMENT_NUMBER} SET last_id = max(last_id, ?)`).run([last]);
    return;
  }
  const isNew = 'WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)';
  database.prepare(`INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 ${isNew}`).run([table, table]);
  database.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run([last, table]);
}

export const sqliteNumbers = (database: Pick<SqliteDatabase, 'prepare'>): Numbers => ({
  nextAppointmentId: sql<number>`(SELECT last_id + 1 FROM appointment_number)`,
  overriding: '',
  goOnAfter: async (table, last) => goOnAfter(database, table, last),
});
