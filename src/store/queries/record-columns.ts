import {
  type FieldFacts,
  type Fields,
  PERSONAL_COLUMNS,
  type Stored,
  type TableOf,
} from '../../vocabulary/stored-records.ts';

/** Fields of a record with their columns, as `stored-records.ts` describes them. */
export type RecordFields = Readonly<Record<string, FieldFacts & { readonly column: string }>>;

type Selected<F extends RecordFields, Name extends keyof F & string> = {
  [N in Name]: `${F[N]['column']} as ${N}`;
}[Name];

/** What a query selects so that its rows have these fields. */
export const selected = <F extends RecordFields, Name extends keyof F & string>(
  fields: F,
  names: readonly Name[] = Object.keys(fields) as Name[],
) => names.map((name) => `${fields[name]?.column} as ${name}`) as Selected<F, Name>[];

type ColumnValues<F extends RecordFields> = { [Name in keyof F as F[Name]['column']]: never };

/** The column of each field, with its value. The values may be placeholders, whatever their types. */
export const columnValues = <F extends RecordFields>(fields: F, values: { readonly [Name in keyof F]: unknown }) =>
  Object.fromEntries(Object.entries(fields).map(([name, { column }]) => [column, values[name]])) as ColumnValues<F>;

/** The record in a whole row: the opposite of `columnValues`. */
export const recordIn = <F extends Fields>(fields: F, row: TableOf<F>): Stored<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { column }]) => [name, row[column as keyof typeof row]]),
  ) as Stored<F>;

/** What an erasure sets in a row of this table. */
export const erased = (table: keyof typeof PERSONAL_COLUMNS): Readonly<Record<string, null>> =>
  Object.fromEntries(PERSONAL_COLUMNS[table].map((column) => [column, null]));
