import { type Engine, tables } from './0001-tables.ts';

interface DescribedTable {
  readonly name: string;
  /** What it holds, and how long. */
  readonly meaning: string;
  readonly columns: readonly { readonly name: string; readonly definition: string; readonly meaning: string }[];
}

/** The tables, and what their definitions say about them and their columns. */
export const describedTables = (engine: Engine): readonly DescribedTable[] =>
  tables(engine).flatMap((statement) => {
    const [, name, meaning = ''] = /^CREATE TABLE (\w+) \( -- (.+)/.exec(statement) ?? [];
    const columns = [...statement.matchAll(/^ {6}([a-z_]+) (.+?),? -- (.+)$/gm)].map(
      ([, name = '', definition = '', meaning = '']) => ({ name, definition, meaning }),
    );
    return name === undefined ? [] : { name, meaning, columns };
  });

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** What psql's `\d+` shows. SQLite has no such statement; its `.schema` shows the definitions themselves. */
export const POSTGRES_COMMENTS: readonly string[] = describedTables('postgres').flatMap(
  ({ name, meaning, columns }) => [
    `COMMENT ON TABLE ${name} IS ${quoted(meaning)}`,
    ...columns.map((column) => `COMMENT ON COLUMN ${name}.${column.name} IS ${quoted(column.meaning)}`),
  ],
);
