import type { Kysely } from 'kysely';
import type { Session } from '../session.ts';
import { changeStatement, statement } from '../statement.ts';
import { columnValues, type RecordFields, selected } from './record-columns.ts';
import type { ReferenceTables } from './reference-data.ts';
import { REFERENCE_TABLES, type ReferenceRow, type ReferenceTable } from './reference-rows.ts';

/** A table whose columns the compiler does not know. */
type AnyTable = Kysely<Record<string, Record<string, unknown>>>;
type AnyRow = Readonly<Record<string, unknown>>;

/** The statements for whole rows of a table. */
function statementsFor(name: ReferenceTable) {
  const { key, order } = REFERENCE_TABLES[name];
  const fields: RecordFields = REFERENCE_TABLES[name].fields;
  const valuesOf = (row: AnyRow): AnyRow => columnValues(fields, row);
  return {
    all: statement((db, _: object) =>
      order.reduce(
        (query, column) => query.orderBy(column),
        (db as unknown as AnyTable).selectFrom(name).select(selected(fields)),
      ),
    ),
    put: changeStatement((db, row: AnyRow) => {
      const values = valuesOf(row);
      const insert = (db as unknown as AnyTable).insertInto(name).values(values);
      return key.length === 0 ? insert : insert.onConflict((c) => c.columns([...key]).doUpdateSet(values));
    }),
    remove: changeStatement((db, row: AnyRow) =>
      Object.entries(valuesOf(row))
        .filter(([column]) => key.length === 0 || key.some((one) => one === column))
        .reduce(
          // No index helps PostgreSQL with a comparison that null passes. The columns of the order are never null.
          (query, [column, value]) =>
            query.where(column, order.some((one) => one === column) ? '=' : 'is not distinct from', value),
          (db as unknown as AnyTable).deleteFrom(name),
        ),
    ),
  };
}

const STATEMENTS = Object.fromEntries(
  Object.keys(REFERENCE_TABLES).map((name) => [name, statementsFor(name as ReferenceTable)]),
) as Readonly<Record<ReferenceTable, ReturnType<typeof statementsFor>>>;

/** All rows of all tables, one table after the other: together, they would occupy a connection each. */
export async function allReferenceRows(session: Session): Promise<ReferenceTables> {
  const tables: Record<string, unknown> = {};
  for (const [table, { all }] of Object.entries(STATEMENTS)) tables[table] = await all(session, {});
  return tables as ReferenceTables;
}

/** The reference data as whole tables, which an import compares and changes, and an export writes out. */
export class ReferenceTableQueries {
  readonly #session: Session;
  readonly #seen: { noteChange(): void };

  constructor(session: Session, seen: { noteChange(): void }) {
    this.#session = session;
    this.#seen = seen;
  }

  /** All rows in the order of the table, inactive doctors and past leaves included. */
  async rows<Table extends ReferenceTable>(table: Table): Promise<readonly ReferenceRow<Table>[]> {
    return (await STATEMENTS[table].all(this.#session, {})) as unknown as ReferenceRow<Table>[];
  }

  /** Adds the row. If its table has a key, updates the row that has the same one to these values. */
  async put<Table extends ReferenceTable>(table: Table, row: ReferenceRow<Table>): Promise<void> {
    this.#seen.noteChange();
    await STATEMENTS[table].put(this.#session, row);
  }

  /** Removes the row with the same key or, in a table without one, the same values. Fails if anything references it. */
  async remove<Table extends ReferenceTable>(table: Table, row: ReferenceRow<Table>): Promise<void> {
    this.#seen.noteChange();
    await STATEMENTS[table].remove(this.#session, row);
  }
}
