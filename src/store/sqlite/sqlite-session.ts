import type Database from 'better-sqlite3';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import {
  APPOINTMENT_NUMBER,
  APPOINTMENTS,
  type Numbers,
  PROCESS_CLOCK,
  type Session,
  type Vitals,
} from '../session.ts';

/** A session on a connection. */
export function sessionOf(database: Database.Database): Session {
  const statements = cachedStatements(database);
  const prepare = (sql: string) => statements.prepare(sql) as unknown as Database.Statement<unknown[]>;
  return {
    db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: statements }) }),
    compiled: new Map(),
    numbers: sqliteNumbers(statements),
    sharedClock: PROCESS_CLOCK,
    vitals: async () => vitalsOf(database),
    // Reading the values from an array costs better-sqlite3 more than taking them as arguments.
    run: async (sql, parameters) => {
      const statement = prepare(sql);
      if (statement.reader) return statement.all(...parameters);
      statement.run(...parameters);
      return [];
    },
    first: async (sql, parameters) => prepare(sql).get(...parameters),
    change: async (sql, parameters) => prepare(sql).run(...parameters).changes,
  };
}

export function vitalsOf(database: Database.Database): Vitals {
  const pragma = (name: string) => Number(database.pragma(name, { simple: true }));
  return { freePages: Math.round((100 * pragma('freelist_count')) / Math.max(1, pragma('page_count'))) };
}

/** Prepares each SQL text once per connection, because preparing most of our statements costs SQLite more than running them. */
function cachedStatements(database: Database.Database): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = database.prepare(sql) as unknown as SqliteStatement;
        prepared.set(sql, statement);
      }
      return statement;
    },
  };
}

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

const sqliteNumbers = (database: Pick<SqliteDatabase, 'prepare'>): Numbers => ({
  nextAppointmentId: sql<number>`(SELECT last_id + 1 FROM appointment_number)`,
  overriding: '',
  goOnAfter: async (table, last) => goOnAfter(database, table, last),
  replan: async () => {},
});
