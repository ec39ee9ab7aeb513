import type { Engine } from './0001-tables.ts';

/** A table or column, and what it is for: what docs/database.md shows, and psql's `\d+`. */
interface Described {
  readonly name: string;
  readonly meaning: string;
}

export interface DescribedColumn extends Described {
  /** The type, integer, bigint or text, and what may follow it: NOT NULL, DEFAULT, constraints with their names. */
  readonly definition: string;
}

export interface DescribedTable extends Described {
  readonly columns: readonly DescribedColumn[];
}

/** Takes a schema to its next version. Once it is released, its SQL never changes. */
export interface Step {
  /** Columns that it adds to tables of earlier steps, before its statements run. */
  readonly columns?: readonly (DescribedColumn & { readonly table: string })[];
  readonly statements?: (engine: Engine) => readonly string[];
}

/** The SQL of a step, which runs in one transaction. */
export const statementsOf = ({ columns = [], statements = () => [] }: Step, engine: Engine): readonly string[] => [
  ...columns.flatMap(({ table, ...column }) => addColumn(table, column, engine)),
  ...statements(engine),
];

/** SQLite keeps the text of a definition, with the comment, as it does for the tables of the first step. */
const addColumn = (table: string, { name, definition, meaning }: DescribedColumn, engine: Engine): readonly string[] =>
  engine === 'sqlite'
    ? [`ALTER TABLE ${table} ADD COLUMN ${name} ${definition.replace(/^bigint/, 'integer')} /* ${meaning} */`]
    : [
        `ALTER TABLE ${table} ADD COLUMN ${name} ${definition.replace(/^text/, 'text COLLATE "C"')}`,
        commentOn(`COLUMN ${table}.${name}`, meaning),
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
