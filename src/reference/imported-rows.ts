import { ReferenceData, type ReferenceTables } from '../store/queries/reference-data.ts';
import type { OpeningHours, ReferenceTable } from '../store/queries/reference-rows.ts';
import type { Queries } from '../store/store.ts';
import { REFERENCE_TABLE_NAMES, type ReferenceTableName, type RowOfTable, TABLES } from './tables.ts';

export type ReferenceRows = { readonly [Name in ReferenceTableName]: readonly RowOfTable<Name>[] };

interface StoredTable {
  readonly table: ReferenceTable;
  readonly key: readonly string[];
  /** The stored rows of a row, and back, unless they are the same. */
  readonly split?: (row: never) => readonly object[];
  readonly join?: (rows: readonly never[]) => readonly object[];
}

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

/** A row refers only to rows of tables before its own. */
const STORED: Readonly<Record<ReferenceTableName, StoredTable>> = {
  centers: { table: 'center', key: ['id'] },
  doctors: { table: 'doctor', key: ['centerId', 'id'] },
  'opening-hours': {
    table: 'opening_hours',
    key: ['centerId', 'doctorId', 'days', 'from', 'to', 'validFrom', 'validTo'],
    split: weekdaysOf,
    join: hoursRows,
  },
  leave: { table: 'doctor_leave', key: ['centerId', 'doctorId', 'from', 'to'] },
  templates: { table: 'message_template', key: ['tempid'] },
};

/** The rows as calls read them once they are stored. */
export function referenceOf(rows: ReferenceRows): ReferenceData {
  const tables = REFERENCE_TABLE_NAMES.map((name) => {
    const { table, split } = STORED[name];
    return [table, rows[name].flatMap((row) => split?.(row as never) ?? [row])];
  });
  return new ReferenceData(0, Object.fromEntries(tables) as ReferenceTables);
}

export async function readReferenceRows({ referenceTables }: Queries): Promise<ReferenceRows> {
  const rows: Partial<Record<ReferenceTableName, readonly object[]>> = {};
  for (const name of REFERENCE_TABLE_NAMES) {
    const { table, join } = STORED[name];
    const stored = await referenceTables.rows(table);
    rows[name] = join === undefined ? stored : join(stored as readonly never[]);
  }
  return rows as ReferenceRows;
}

/** Stores the row, or changes the one with its key; or removes it. */
async function store({ referenceTables }: Queries, name: ReferenceTableName, how: 'put' | 'remove', row: object) {
  const { table, split } = STORED[name];
  for (const stored of split?.(row as never) ?? [row]) await referenceTables[how](table, stored as never);
}

/** Stores all of these rows. Must run within one write. */
export async function putReferenceRows(queries: Queries, rows: ReferenceRows): Promise<void> {
  for (const name of REFERENCE_TABLE_NAMES) {
    for (const row of rows[name]) await store(queries, name, 'put', row);
  }
}

/** What identifies a row among those of its table. */
export const keyOf = (table: ReferenceTableName, row: object): string =>
  STORED[table].key.map((name) => (row as Readonly<Record<string, unknown>>)[name]).join('/');

export const keyTitles = (table: ReferenceTableName): readonly string[] =>
  STORED[table].key.map((name) => TABLES[table].columns[name]?.title ?? '');

export interface RowChange<Name extends ReferenceTableName = ReferenceTableName> {
  readonly table: Name;
  readonly before?: RowOfTable<Name>;
  readonly after?: RowOfTable<Name>;
}

export const changesIn = <Name extends ReferenceTableName>(changes: readonly RowChange[], table: Name) =>
  changes.filter((change): change is RowChange<never> => change.table === table) as readonly RowChange<Name>[];

/** Makes changes that are in the order of the tables. Must run within one write. */
export async function applyChanges(queries: Queries, changes: readonly RowChange[]): Promise<void> {
  for (const { table, before, after } of changes.toReversed()) {
    if (before !== undefined && after === undefined) await store(queries, table, 'remove', before);
  }
  for (const { table, after } of changes) {
    if (after !== undefined) await store(queries, table, 'put', after);
  }
}
