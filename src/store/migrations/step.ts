import type { Kysely } from 'kysely';
import type { Engine } from './0001-tables.ts';

/** A column, and what it is for: what docs/operators/database.md shows, and psql's `\d+`. */
interface DescribedColumn {
  readonly name: string;
  /** The type, integer, bigint or text, and what may follow it: NOT NULL, DEFAULT, constraints with their names. */
  readonly definition: string;
  readonly meaning: string;
}

export interface DescribedTable extends Pick<DescribedColumn, 'name' | 'meaning'> {
  readonly columns: readonly DescribedColumn[];
}

/** Takes a schema to its next version. Once it is released, its SQL never changes. */
export interface Step {
  /** Columns that it adds to tables of earlier steps, before its statements run. */
  readonly columns?: readonly (DescribedColumn & { readonly table: string })[];
  /** Columns of earlier steps that may be null from now on. */
  readonly nullable?: Step['columns'];
  /** Columns of earlier steps that mean something else from now on. On SQLite, `statements` redefine them. */
  readonly described?: Step['columns'];
  readonly statements?: (engine: Engine) => readonly string[];
  /** Changes rows, after the statements. */
  readonly rows?: (db: Kysely<unknown>) => Promise<void>;
}

/** The SQL of a step, which runs in one transaction. */
export const statementsOf = (
  { columns = [], nullable = [], described = [], statements = () => [] }: Step,
  engine: Engine,
): readonly string[] => [
  ...columns.flatMap(({ table, name, definition, meaning }) =>
    engine === 'sqlite'
      ? // The definition is kept with the comment, and `.schema` shows both.
        `ALTER TABLE ${table} ADD COLUMN ${name} ${definition.replace(/^bigint/, 'integer')} /* ${meaning} */`
      : [
          `ALTER TABLE ${table} ADD COLUMN ${name} ${definition.replace(/^text/, 'text COLLATE "C"')}`,
          commentOn(`COLUMN ${table}.${name}`, meaning),
        ],
  ),
  ...nullable.flatMap(({ table, name, definition, meaning }) =>
    engine === 'sqlite'
      ? redefined(table, `${name} ${definition} NOT NULL`, `${name} ${definition}`)
      : [`ALTER TABLE ${table} ALTER COLUMN ${name} DROP NOT NULL`, commentOn(`COLUMN ${table}.${name}`, meaning)],
  ),
  ...(engine === 'sqlite'
    ? []
    : described.map((column) => commentOn(`COLUMN ${column.table}.${column.name}`, column.meaning))),
  ...statements(engine),
];

/** SQLite before 3.53 changes neither columns nor constraints of a table; this is its own recipe. Source: ALTER TABLE, 8. */
export const redefined = (table: string, before: string, after: string): readonly string[] => [
  'PRAGMA writable_schema = ON',
  `UPDATE sqlite_schema SET sql = replace(sql, '${before}', '${after}') WHERE name = '${table}'`,
  'PRAGMA writable_schema = RESET',
];

const commentOn = (what: string, meaning: string): string => `COMMENT ON ${what} IS '${meaning.replaceAll("'", "''")}'`;

/** What statements that create tables say about them and their columns, behind `--`. */
export const tablesIn = (statements: readonly string[]): readonly DescribedTable[] =>
  statements.flatMap((statement) => {
    const [, name, meaning = ''] = /^CREATE TABLE (\w+) \( -- (.+)/.exec(statement) ?? [];
    const columns = [...statement.matchAll(/^ {6}([a-z_]+) (.+?),? -- (.+)$/gm)].map(
      ([, name = '', definition = '', meaning = '']) => ({ name, definition, meaning }),
    );
    return name === undefined ? [] : { name, meaning, columns };
  });

/** For PostgreSQL. SQLite has no such statement; its `.schema` shows the definitions themselves. */
export const commentsOn = (tables: readonly DescribedTable[]): readonly string[] =>
  tables.flatMap(({ name, meaning, columns }) => [
    commentOn(`TABLE ${name}`, meaning),
    ...columns.map((column) => commentOn(`COLUMN ${name}.${column.name}`, column.meaning)),
  ]);
