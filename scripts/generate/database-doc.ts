import { describedTables } from '../../src/store/migrations/migrate.ts';
import { PERSONAL_COLUMNS } from '../../src/vocabulary/stored-records.ts';

/** What the end of a column's name says about its values. Source: `store/schema.ts`. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_on$/, 'ms since 1970, UTC'],
  [/_wall_minute$/, 'minutes since 1970 on the center’s clock'],
  [/_minute_of_day$/, 'minutes since midnight'],
  [/_minutes$/, 'minutes'],
  [/(?:^|_)day$/, 'YYYY-MM-DD'],
];

const INTRODUCTION = `<!-- Generated from src/store/migrations and src/vocabulary/stored-records.ts by npm run generate. Do not edit. -->

# The database

The tables are the same on SQLite and PostgreSQL, and their names and constraints, too. On SQLite, \`bigint\` is \`integer\`, the tables are STRICT, and \`.schema\` shows the
descriptions below; on PostgreSQL, \`\\d+\` shows them, and texts are compared byte by byte (\`COLLATE "C"\`). Only the service and \`tpws\` write here: the
database refuses two patients in one seat, but that one patient's appointments do not overlap is checked by the service alone. Whoever reads should do so
on a copy or a standby, or with a statement_timeout, because a long transaction keeps deleted rows from being freed.

The end of a column’s name tells how it writes a time. A column marked “erased” identifies a person, and is null once \`tpws patient erase\` has erased the row. The rest
is pseudonymous, not anonymous: whoever knows who came to a doctor at a time can find the row. The column \`address\` of \`audit_event\` may be that of a person’s device,
and so may the network in \`client\` of \`feedback\` and \`message\`, in the report of messages, and in \`key\` of \`idempotency_key\`: a caller that is not identified is called
\`anonymous 10.0.0.5\` there. In \`message\`, promotional messages have the priority -1 by day, too.

## Reports

Two views show appointments and messages without names, numbers, texts and ids. Their columns named \`…_wall_time\` are times on the center’s clock, those named \`…_utc\`
are in UTC. A role that may read nothing else, on PostgreSQL:

\`\`\`sql
CREATE ROLE tpwebservices_reports LOGIN;
GRANT USAGE ON SCHEMA public TO tpwebservices_reports;
GRANT SELECT ON report_appointment, report_message TO tpwebservices_reports;
\`\`\`

\`\\password tpwebservices_reports\` in psql sets its password, and \`GRANT CONNECT ON DATABASE tpwebservices TO tpwebservices_reports\` lets it connect. For example, the
share of appointments that patients missed, by doctor:

\`\`\`sql
SELECT doctor, count(*) AS appointments, avg(CASE status WHEN 'NoShow' THEN 100.0 ELSE 0 END) AS percent_missed
FROM report_appointment WHERE status <> 'Cancelled' GROUP BY doctor ORDER BY doctor;
\`\`\`

SQLite has no roles: whoever can read the file can read everything in it.`;

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const tableOf = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map(row).join('\n');

/** The data dictionary, as Markdown. */
export function databaseDoc(): string {
  const tables = describedTables().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const personal: Readonly<Record<string, readonly string[]>> = PERSONAL_COLUMNS;
  const blocks = [
    INTRODUCTION,
    '## Tables',
    tableOf(
      ['Table', 'Holds', 'Kept'],
      tables.map(({ name, meaning }) => {
        const [holds = '', kept = ''] = meaning.split(' Kept ');
        return [`[\`${name}\`](#${name})`, holds, kept.replace(/\.$/, '')];
      }),
    ),
    ...tables.flatMap(({ name, columns }) => [
      `### ${name}`,
      tableOf(
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
  ];
  return `${blocks.join('\n\n')}\n`;
}
