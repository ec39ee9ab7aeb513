import { describedTables } from '../../src/store/migrations/migrate.ts';
import { PERSONAL_COLUMNS } from '../../src/vocabulary/stored-records.ts';
import { regenerated, table } from './markdown.ts';

/** What the end of a column's name says about its values. Source: `store/schema.ts`. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_on$/, 'ms since 1970, UTC'],
  [/_wall_minute$/, 'minutes since 1970 on the center’s clock'],
  [/_minute_of_day$/, 'minutes since midnight'],
  [/_minutes$/, 'minutes'],
  [/(?:^|_)day$/, 'YYYY-MM-DD'],
];

/** The data dictionary, as Markdown. */
export function databaseDoc(document: string): string {
  const tables = describedTables().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const personal: Readonly<Record<string, readonly string[]>> = PERSONAL_COLUMNS;
  return regenerated(document, [
    '## Tables',
    table(
      ['Table', 'Holds', 'Kept'],
      tables.map(({ name, meaning }) => {
        const [holds = '', kept = ''] = meaning.split(' Kept ');
        return [`[\`${name}\`](#${name})`, holds, kept.replace(/\.$/, '')];
      }),
    ),
    ...tables.flatMap(({ name, columns }) => [
      `### ${name}`,
      table(
        ['Column', 'Type', 'Null', 'Unit', 'Personal', 'Meaning'],
        columns.map((column) => [
          `\`${column.name}\``,
          column.definition.split(' ', 1)[0] ?? '',
          /NOT NULL|PRIMARY KEY/.test(column.definition.replace(/\(.*\)/, '')) ? 'no' : 'yes',
          UNITS.find(([end]) => end.test(column.name))?.[1] ?? '',
          personal[name]?.includes(column.name) ? 'erased' : 'no',
          column.meaning,
        ]),
      ),
    ]),
  ]);
}
