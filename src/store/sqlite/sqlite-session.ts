import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import {
  APPOINTMENT_NUMBER,
  APPOINTMENTS,
  AUDITED_TABLES,
  GREATEST_APPOINTMENT,
  greatestAudited,
  HALF_OF_NUMBERS,
  type Numbers,
  type Session,
  type Vitals,
} from '../session.ts';
import { firstValue } from './database-file.ts';

type Row = Record<string, unknown>;

/**
 * A statement. The rows of node:sqlite have no prototype, so V8 keeps them as dictionaries, which cost more to fill and to read than arrays
 * that are copied into objects. A column that another process adds later is left out.
 */
class Prepared implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: StatementSync;
  readonly #names: readonly string[];
  /** A row with all of its properties. */
  readonly #empty: Row;

  constructor(database: DatabaseSync, text: string) {
    this.#statement = database.prepare(text, { returnArrays: true });
    this.#names = this.#statement.columns().map(({ name }) => name);
    this.#empty = Object.fromEntries(this.#names.map((name) => [name, null]));
    this.reader = this.#names.length > 0;
  }

  all(parameters: readonly unknown[]): Row[] {
    return this.#statement.all(...(parameters as SQLInputValue[])).map((values) => this.#row(values));
  }

  first(parameters: readonly unknown[]): Row | undefined {
    const values = this.#statement.get(...(parameters as SQLInputValue[]));
    return values && this.#row(values);
  }

  run(parameters: readonly unknown[]) {
    return this.#statement.run(...(parameters as SQLInputValue[]));
  }

  *iterate(parameters: readonly unknown[]): Generator<Row> {
    for (const values of this.#statement.iterate(...(parameters as SQLInputValue[]))) yield this.#row(values);
  }

  /** `values` is an array, which the types of Node do not know. */
  #row(values: Row): Row {
    const row = { ...this.#empty };
    for (let index = 0; index < this.#names.length; index++) row[this.#names[index] as string] = values[index];
    return row;
  }
}

type Prepare = (text: string) => Prepared;

/** A session on a connection. */
export function sessionOf(database: DatabaseSync): Session {
  const prepared = new Map<string, Prepared>();
  // Each text once, because preparing most of our statements costs SQLite more than running them.
  const prepare = (text: string) => prepared.getOrInsertComputed(text, () => new Prepared(database, text));
  return {
    db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } }) }),
    compiled: new Map(),
    numbers: sqliteNumbers(prepare),
    missingRights: async () => undefined,
    planByValues: async () => {},
    vitals: async () => vitalsOf(database),
    run: async (text, parameters) => prepare(text).all(parameters),
    first: async (text, parameters) => prepare(text).first(parameters),
    change: async (text, parameters) => Number(prepare(text).run(parameters).changes),
  };
}

function vitalsOf(database: DatabaseSync): Vitals {
  const pragma = (name: string) => firstValue<number>(database, `PRAGMA ${name}`) ?? 0;
  // SQLite itself never gives a row of the other tables a number that one has.
  const lastOf = (table: string) =>
    table === APPOINTMENTS
      ? `(SELECT last_id FROM ${APPOINTMENT_NUMBER})`
      : `coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)`;
  const isBehind = (table: string, column: string) =>
    firstValue(database, `SELECT ${lastOf(table)} < ${greatestAudited(column)}`) === 1 ||
    (table === APPOINTMENTS && firstValue(database, `SELECT ${lastOf(table)} < ${GREATEST_APPOINTMENT}`) === 1);
  return {
    freePages: Math.round((100 * pragma('freelist_count')) / Math.max(1, pragma('page_count'))),
    behind: Object.entries(AUDITED_TABLES).flatMap(([table, column]) => (isBehind(table, column) ? [table] : [])),
    usedUp: Object.keys(AUDITED_TABLES).filter(
      (table) => firstValue(database, `SELECT ${lastOf(table)} > ${HALF_OF_NUMBERS}`) === 1,
    ),
  };
}

/** Makes a table's numbers continue after the given one, unless they are already beyond it. */
function goOnAfter(prepare: Prepare, table: string, last: number): void {
  if (table === APPOINTMENTS) {
    prepare(`UPDATE ${APPOINTMENT_NUMBER} SET last_id = max(last_id, ?)`).run([last]);
    return;
  }
  const isNew = 'WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)';
  prepare(`INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 ${isNew}`).run([table, table]);
  prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run([last, table]);
}

const sqliteNumbers = (prepare: Prepare): Numbers => ({
  nextAppointmentId: sql<number>`(SELECT last_id + 1 FROM appointment_number)`,
  overriding: '',
  goOnAfter: async (table, last) => goOnAfter(prepare, table, last),
  replan: async () => {},
});
