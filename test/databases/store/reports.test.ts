import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describedTables } from '../../../src/store/migrations/migrate.ts';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { openHospital } from '../../support/database/hospital.ts';
import { postgresTestDatabase } from '../../support/database/open-test-store.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';
import { SENT_PATIENT } from '../../support/database/whole-patient.ts';
import { rights } from './postgres/service-rights.ts';
import type { TestDatabase } from './store-suite.ts';

type Row = Readonly<Record<string, unknown>>;

const document = readFileSync(new URL('../../../docs/operators/database.md', import.meta.url), 'utf8');
const [example = ''] = [...document.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, sql = '']) => sql);

describe('The schema for those who read it', () => {
  let database: TestDatabase;
  /** Of the database on PostgreSQL. */
  let url: string;
  let query: (sql: string) => Promise<readonly Row[]>;
  before(async () => {
    if (ON_POSTGRES) {
      const own = await emptyPostgresDatabase();
      url = own.url;
      database = postgresTestDatabase(own);
      query = (sql) => asAdministrator(own.url, async (client) => (await client.query(sql)).rows as Row[]);
    } else {
      const file = temporaryDatabase();
      database = file;
      query = async (sql) => {
        const opened = openFile(file.file);
        const rows = opened.prepare(sql).all() as Row[];
        opened.close();
        return rows;
      };
    }
    const hospital = await openHospital({}, await database.open());
    await hospital.book(SENT_PATIENT);
    await hospital.ok('Sent_SMS', { Mobileno: '9845012345', Message: 'Dear Asha, come.', tempid: 0, SMSmode: 3 });
  });
  after(() => database.dispose());

  it('shows reports in words, with times on the center’s clock and in UTC', async () => {
    const asText = 'CAST(start_wall_time AS text) AS start, CAST(created_utc AS text) AS created';
    const [appointment] = await query(`SELECT report_appointment.*, ${asText} FROM report_appointment`);
    expect(appointment).to.include({ status: 'Booked', minutes: 15, start: '2027-01-18 10:15:00' });
    expect(appointment?.created).to.match(/^2026-\d\d-\d\d 03:00:00$/);
    const [message] = await query('SELECT * FROM report_message');
    expect(message).to.include({ mode: 'OTP', status: 'Queued', segments: 1, submitted_utc: null });
  });

  it('shows no report that says who somebody is', async () => {
    const rows = JSON.stringify([
      await query('SELECT * FROM report_appointment'),
      await query('SELECT * FROM report_message'),
    ]);
    for (const value of [...Object.values(SENT_PATIENT), '9845012345', 'Asha']) {
      if (`${value}`.length > 3) expect(rows).not.to.include(`${value}`);
    }
    expect(rows).not.to.match(/"(?:id|token_no|sex|name)"/);
  });

  it('answers the example of docs/operators/database.md', async () => {
    const [row] = await query(example);
    expect([Number(row?.appointments), Number(row?.percent_missed)]).to.deep.equal([1, 0]);
  });

  it('describes every column of every table', async () => {
    const columns = ON_POSTGRES
      ? `SELECT relname || '.' || attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
           AND relname NOT LIKE 'kysely%' AND length(col_description(attrelid, attnum)) > 0
           AND length(obj_description(attrelid)) > 0`
      : `SELECT m.name || '.' || c.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT GLOB 'kysely*' AND m.name NOT GLOB 'sqlite*' AND m.name <> 'appointment_number'`;
    const described = describedTables().flatMap((table) =>
      table.columns.map((column) => `${table.name}.${column.name}`),
    );
    expect((await query(columns)).map(({ name }) => name)).to.have.members(described);
  });

  (ON_POSTGRES ? it : it.skip)(
    'lets the role of docs/operators/database.md read reports and nothing else (npm run ci -- postgres)',
    async () => {
      const psql = (sql: string) => {
        const location = new URL(url);
        location.username = 'tpwebservices_reports';
        return spawnSync('psql', ['-X', '-A', '-t', '-c', sql, location.href], { encoding: 'utf8' });
      };
      await query('CREATE ROLE tpwebservices_reports LOGIN');
      await query(rights);
      try {
        const report = psql('SELECT status FROM report_appointment');
        expect([report.stdout, report.stderr]).to.deep.equal(['Booked\n', '']);
        for (const table of ['appointment', 'message', 'feedback', 'audit_event', 'idempotency_key']) {
          expect(psql(`SELECT * FROM ${table}`).stderr).to.include('permission denied');
        }
        for (const sql of [
          'DELETE FROM report_message',
          'SELECT pg_advisory_lock(1)',
          'SELECT pg_try_advisory_xact_lock_shared(1, 2)',
          'CREATE TEMP TABLE copied AS SELECT * FROM report_message',
          'SET temp_file_limit = -1',
          "SELECT lo_from_bytea(0, 'x')",
          'SELECT lo_create(0)',
          "SELECT pg_logical_emit_message(false, 'x', 'y')",
        ]) {
          expect(psql(sql).stderr, sql).to.include('permission denied');
        }
        expect(psql('SHOW temp_file_limit').stdout).to.equal('2GB\n');
      } finally {
        await query('DROP OWNED BY tpwebservices_reports; DROP ROLE tpwebservices_reports');
      }
    },
  );
});
