import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** A table as the migrations made it. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** The column whose numbers the database counts up itself, if there is one. */
  readonly counted: string | undefined;
}

interface MovedColumn {
  readonly name: string;
  /** The database's own name for it. */
  readonly type: string;
}

/** Its ids are counted for all centers together: by a sequence in PostgreSQL, by a table of one row in SQLite, both of one name. */
export const APPOINTMENTS = 'appointment';
export const APPOINTMENT_NUMBER = 'appointment_number';

/** A row's values, in the order of its table's columns. */
export type MovedRow = readonly unknown[];

/** The service's tables, as the database describes them: the migrations are the one place that says what there is. */
export async function movedTables(db: Kysely<Schema>): Promise<readonly MovedTable[]> {
  const tables = await db.introspection.getTables();
  return tables
    .filter(
      ({ isView, name }) =>
        !isView && !name.startsWith('sqlite_') && !name.startsWith('kysely_') && name !== APPOINTMENT_NUMBER,
    )
    .map(({ name, columns }) => ({
      name,
      columns: columns
        .map((column) => ({ name: column.name, type: column.dataType }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      counted: name === APPOINTMENTS ? 'id' : columns.find(({ isAutoIncrementing }) => isAutoIncrementing)?.name,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** An SQL name; those of the migrations hold nothing that would need escaping. */
export const quotedName = (name: string): string => `"${name}"`;

export const columnList = ({ columns }: MovedTable): string => columns.map(({ name }) => quotedName(name)).join(', ');
