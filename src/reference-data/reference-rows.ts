import type { DoctorLeave, OpeningHours } from '../store/queries/reference-rows.ts';
import type { ReferenceTableQueries } from '../store/queries/reference-table-queries.ts';
import type { Queries } from '../store/store.ts';
import { REFERENCE_TABLES, type ReferenceTableName, type RowOfTable, TABLES } from './tables.ts';

export type ReferenceRows = { readonly [Name in ReferenceTableName]: readonly RowOfTable<Name>[] };

interface StoredTable<Row> {
  readonly key: readonly (keyof Row & string)[];
  rows(tables: ReferenceTableQueries): Promise<readonly Row[]>;
  /** Adds the row, or changes the one with its key. */
  put(tables: ReferenceTableQueries, row: Row): Promise<void>;
  remove(tables: ReferenceTableQueries, row: Row): Promise<void>;
}

/** A row refers only to rows of tables before its own. */
const STORED: { readonly [Name in ReferenceTableName]: StoredTable<RowOfTable<Name>> } = {
  centers: {
    key: ['id'],
    rows: (tables) => tables.rows('center'),
    put: (tables, { timeZone, ...center }) => tables.put('center', { ...center, timeZone: timeZone ?? 'UTC' }),
    remove: (tables, { timeZone, ...center }) => tables.remove('center', { ...center, timeZone: timeZone ?? 'UTC' }),
  },
  doctors: {
    key: ['centerId', 'id'],
    rows: (tables) => tables.rows('doctor'),
    put: (tables, doctor) => tables.put('doctor', doctor),
    remove: (tables, doctor) => tables.remove('doctor', doctor),
  },
  'opening-hours': {
    key: ['centerId', 'doctorId', 'days', 'from', 'to', 'validFrom', 'validTo'],
    rows: async (tables) => hoursRows(await tables.rows('opening_hours')),
    put: async (tables, row) => {
      for (const hours of weekdaysOf(row)) await tables.put('opening_hours', hours);
    },
    remove: async (tables, row) => {
      for (const hours of weekdaysOf(row)) await tables.remove('opening_hours', hours);
    },
  },
  leave: {
    key: ['centerId', 'doctorId', 'from', 'to'],
    rows: (tables) => tables.rows('doctor_leave'),
    put: (tables, leave) => tables.put('doctor_leave', spanOf(leave)),
    remove: (tables, leave) => tables.remove('doctor_leave', spanOf(leave)),
  },
  templates: {
    key: ['tempid'],
    rows: (tables) => tables.rows('message_template'),
    put: (tables, template) => tables.put('message_template', template),
    // No import removes one.
    remove: async () => {},
  },
};

const stored = (table: ReferenceTableName) => STORED[table] as unknown as StoredTable<object>;

export async function readReferenceRows({ referenceTables }: Queries): Promise<ReferenceRows> {
  const rows: (readonly [string, readonly object[]])[] = [];
  for (const table of REFERENCE_TABLES) rows.push([table, await stored(table).rows(referenceTables)]);
  return Object.fromEntries(rows) as unknown as ReferenceRows;
}

/** Stores all of these rows. Must run within one write. */
export async function putReferenceRows({ referenceTables }: Queries, rows: ReferenceRows): Promise<void> {
  for (const table of REFERENCE_TABLES) {
    for (const row of rows[table]) await stored(table).put(referenceTables, row);
  }
}

/** What identifies a row among those of its table. */
export const keyOf = (table: ReferenceTableName, row: object): string =>
  stored(table)
    .key.map((name) => row[name])
    .join('/');

export const keyTitles = (table: ReferenceTableName): readonly string[] =>
  stored(table).key.map((name) => TABLES[table].columns[name]?.title ?? '');

export interface RowChange<Name extends ReferenceTableName = ReferenceTableName> {
  readonly table: Name;
  readonly before?: RowOfTable<Name>;
  readonly after?: RowOfTable<Name>;
}

export const changesIn = <Name extends ReferenceTableName>(changes: readonly RowChange[], table: Name) =>
  changes.filter((change): change is RowChange<never> => change.table === table) as readonly RowChange<Name>[];

/** Makes changes that are in the order of the tables. Must run within one write. */
export async function applyChanges({ referenceTables }: Queries, changes: readonly RowChange[]): Promise<void> {
  for (const { table, before, after } of changes.toReversed()) {
    if (before !== undefined && after === undefined) await stored(table).remove(referenceTables, before);
  }
  for (const { table, after } of changes) {
    if (after !== undefined) await stored(table).put(referenceTables, after);
  }
}

const spanOf = ({ centerId, doctorId, from, to }: RowOfTable<'leave'>): DoctorLeave => ({
  centerId,
  doctorId,
  from: from ?? 0,
  to: to ?? 0,
});

/** The hours of each day; none for a row that says that the doctor has none. */
export const weekdaysOf = ({ days, from, to, ...row }: RowOfTable<'opening-hours'>): readonly OpeningHours[] =>
  (days ?? []).map((weekday) => ({ ...row, weekday, from: from ?? 0, to: to ?? 0 }));

/** Days with the same hours share one row. */
export function hoursRows(hours: readonly OpeningHours[]): readonly RowOfTable<'opening-hours'>[] {
  const groups = Map.groupBy(hours, ({ weekday, ...row }) => Object.values(row).join('/'));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ weekday, ...row }) => {
      const days = new Set(group.map((one) => one.weekday));
      return { ...row, days: [...days].sort((a, b) => a - b) };
    }),
  );
}
