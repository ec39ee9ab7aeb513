import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import {
  APPOINTMENT_NUMBER,
  APPOINTMENTS,
  type Numbers,
  PROCESS_CLOCK,
  type Session,
  type Vitals,
} from '../session.ts';
import { firstValue } from './database-file.ts';

/** Prepares an SQL text, or takes the statement that was prepared for it. */
type Prepare = (text: string) => StatementSync;

/** A session on a connection. */
export function sessionOf(database: DatabaseSync): Session {
  const prepare = preparedOnce(database);
  return {
    db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: forKysely(database) }) }),
    compiled: new Map(),
    numbers: sqliteNumbers(prepare),
    sharedClock: PROCESS_CLOCK,
    vitals: async () => vitalsOf(database),
    run: async (text, parameters) => prepare(text).all(...(parameters as SQLInputValue[])),
    first: async (text, parameters) => prepare(text).get(...(parameters as SQLInputValue[])),
    change: async (text, parameters) => Number(prepare(text).run(...(parameters as SQLInputValue[])).changes),
  };
}

export function vitalsOf(database: DatabaseSync): Vitals {
  const pragma = (name: string) => firstValue<number>(database, `PRAGMA ${name}`) ?? 0;
  return { freePages: Math.round((100 * pragma('freelist_count')) / Math.max(1, pragma('page_count'))) };
}

/** Each SQL text once per connection, because preparing most of our statements costs SQLite more than running them. */
function preparedOnce(database: DatabaseSync): Prepare {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = database.prepare(text);
      prepared.set(text, statement);
    }
    return statement;
  };
}

/** For what Kysely runs itself, which are the migrations. */
const forKysely = (database: DatabaseSync): SqliteDatabase => ({
  close: () => database.close(),
  prepare: (text) => {
    const statement = database.prepare(text);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
      run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
      iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
    };
  },
});

/** Makes a table's numbers continue after the given one, unless they are already beyond it. */
function goOnAfter(prepare: Prepare, table: string, last: number): void {
  if (table === APPOINTMENTS) {
    prepare(`UPDATE ${APPOINTMENT_NUMBER} SET last_id = max(last_id, ?)`).run(last);
    return;
  }
  const isNew = 'WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)';
  prepare(`INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 ${isNew}`).run(table, table);
  prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(last, table);
}

const sqliteNumbers = (prepare: Prepare): Numbers => ({
  nextAppointmentId: sql<number>`(SELECT last_id + 1 FROM appointment_number)`,
  overriding: '',
  goOnAfter: async (table, last) => goOnAfter(prepare, table, last),
  replan: async () => {},
});
