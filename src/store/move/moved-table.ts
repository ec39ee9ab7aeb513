import type { Kysely } from 'kysely';
import { APPOINTMENT_NUMBER, APPOINTMENTS } from '../numbers.ts';
import type { Schema } from '../schema.ts';

/** A table as the migrations created it. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** The column whose numbers the database generates itself, if there is one. */
  readonly counted: string | undefined;
}

interface MovedColumn {
  readonly name: string;
  /** The database's own name for the type. */
  readonly type: string;
}

/** A row's values, in the order of its table's columns. */
export type MovedRow = readonly unknown[];

/** The service's tables, as the database describes them: the migrations are the only definition of which tables exist. */
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

/** A quoted SQL name. The names in the migrations contain nothing that would need escaping. */
export const quotedName = (name: string): string => `"${name}"`;

/**
 * Selects the table's rows; marked appointments come last, because the guards let them overlap existing ones, but nothing may overlap them.
 */
export const selectRows = (table: MovedTable): string =>
  `SELECT ${columnList(table)} FROM ${quotedName(table.name)}${table.name === APPOINTMENTS ? ' ORDER BY marked' : ''}`;

export const columnList = ({ columns }: MovedTable): string => columns.map(({ name }) => quotedName(name)).join(', ');
