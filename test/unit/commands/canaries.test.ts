import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { backupCommand } from '../../../src/commands/database-commands.ts';
import { createFileGateway } from '../../../src/messages/gateways/file-gateway.ts';
import { firstColumn, openFile } from '../../../src/store/sqlite/database-file.ts';
import { PERSONAL_COLUMNS } from '../../../src/vocabulary/stored-records.ts';
import { openPatientDesk, PAST } from '../../support/commands/patient-desk.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { BOOKING } from '../../support/database/hospital.ts';
import { ON_POSTGRES } from '../../support/database/test-database.ts';
import { perTest } from '../../support/prepared.ts';
import { outgoing } from '../messages/gateway-suite.ts';

const CANARY = /qanary|98450\W*77712/i;
const PATIENT = {
  ...BOOKING,
  ...PAST,
  RegistrationNumber: 'QANARY-1',
  Name: 'Qanary Name',
  area: 'Qanary Street',
  email: 'qanary@example.org',
  contactnumber: '9845077712',
};
const FEEDBACK = {
  ipno: 'QANARY-7',
  roomno: 'qanary 12',
  moblieno: '98450 77712',
  dept: 'ENT',
  needsimprovementcommit: 'The qanary sang.',
};
const MESSAGE = { Mobileno: '9845077712', Message: 'Dear Qanary, come at ten.', tempid: 0, SMSmode: 1 };
const RECORDS = ['appointment:1/1', 'feedback:1', 'message:1'];

/** Where a file with the patient's data may be, as docs/operators/privacy.md names the copies that an erasure does not reach. */
const COPIES: Readonly<Record<string, string>> = {
  'backup.db': '| backups |',
  'dump.sql': '| backups |',
  'out/appointments.csv': '| exports and imported files |',
  'out/feedback.csv': '| exports and imported files |',
  'patient.json': '| exports and imported files |',
  'patient.html': '| exports and imported files |',
  'sms.jsonl': '| the file of `SMS_GATEWAY=file:…` |',
};

const privacyDocument = () => readFileSync(new URL('../../../docs/operators/privacy.md', import.meta.url), 'utf8');

describe('The data of one patient, followed through everything that is stored', () => {
  const desk = perTest(openPatientDesk);
  beforeEach(async () => {
    await desk.inHospital(async (hospital) => {
      await hospital.call('Fetch_Details', PATIENT, 'key-1');
      await hospital.call('FB_Push_Details', FEEDBACK, 'key-2');
      await hospital.call('Sent_SMS', MESSAGE, 'key-3');
      await hospital.dayOf(102, PAST.app_date);
      await hospital.refused('Fetch_Details', { ...PATIENT, app_date: '2020-01-01' }, 15);
    });
  });

  /** The columns in which a canary is, such as `appointment.name`. */
  async function columnsWithCanaries(): Promise<readonly string[]> {
    const found = (table: string, rows: readonly object[]) =>
      rows.flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) => (CANARY.test(String(value)) ? `${table}.${column}` : [])),
      );
    const columns: string[] = [];
    if (ON_POSTGRES) {
      await asAdministrator(await desk.folder.databaseUrl(), async (client) => {
        const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
        for (const { tablename } of rows) {
          columns.push(...found(tablename, (await client.query(`SELECT * FROM ${tablename}`)).rows));
        }
      });
    } else {
      const file = openFile(desk.folder.databaseFile, { readOnly: true });
      for (const table of firstColumn<string>(file, "SELECT name FROM sqlite_schema WHERE type = 'table'")) {
        columns.push(...found(table, file.prepare(`SELECT * FROM ${table}`).all()));
      }
      file.close();
    }
    return [...new Set(columns)];
  }

  /** The files in which a canary is, by their paths in the folder. */
  function filesWithCanaries(): readonly string[] {
    const paths = readdirSync(desk.folder.path, { recursive: true, encoding: 'utf8' });
    return paths
      .filter((path) => statSync(join(desk.folder.path, path)).isFile())
      .filter((path) => CANARY.test(readFileSync(join(desk.folder.path, path), 'latin1')))
      .map((path) => path.replaceAll('\\', '/'));
  }

  const dump = async () => {
    const { stdout, status, stderr } = spawnSync('pg_dump', [await desk.folder.databaseUrl()], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    return stdout;
  };

  it('is only in columns that an erasure empties, and then in none', async () => {
    const personal = Object.entries(PERSONAL_COLUMNS).flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    );
    const document = readFileSync(new URL('../../../docs/operators/database.md', import.meta.url), 'utf8');
    const found = await columnsWithCanaries();
    expect(personal).to.include.members([...found]);
    expect(found).to.have.length.above(12);
    for (const name of found)
      expect(document).to.match(new RegExp(`^\\| \`${name.split('.')[1]}\` .*\\| erased \\|`, 'm'));
    await desk.output('erase', ...RECORDS, '--yes');
    expect(await columnsWithCanaries()).to.deep.equal([]);
  });

  (ON_POSTGRES ? it : it.skip)(
    'is in the statistics until the owner runs ANALYZE (npm run ci -- postgres)',
    async () => {
      const other = { Name: 'Qanary Two', RegistrationNumber: 'QANARY-2', contactnumber: '9845077713' };
      await desk.inHospital((hospital) => hospital.call('Fetch_Details', { ...PATIENT, ...other, app_time: '11:15' }));
      await asAdministrator(await desk.folder.databaseUrl(), async (client) => {
        const sampled = async () => {
          const { rows } = await client.query('SELECT most_common_vals, histogram_bounds FROM pg_stats');
          return rows.some((row) => CANARY.test(JSON.stringify(row)));
        };
        await client.query('ANALYZE');
        await desk.output('erase', ...RECORDS, 'appointment:1/2', '--yes');
        expect(await sampled()).to.equal(true);
        const [, statement = ''] = /`(ANALYZE [^`]+)`/.exec(privacyDocument()) ?? [];
        await client.query(statement);
        expect(await sampled()).to.equal(false);
      });
    },
  );

  it('is in no file of the database after its erasure, and in the copies that docs/operators/privacy.md names', async () => {
    const { folder } = desk;
    await createFileGateway(join(folder.path, 'sms.jsonl'), { clock: Date.now, maySubmit: () => true }).send(
      outgoing({ mobile: '+919845077712', text: MESSAGE.Message }),
    );
    await folder.export('--out', 'out');
    await desk.output('export', ...RECORDS, '--out', 'patient.json');
    if (ON_POSTGRES) folder.write('dump.sql', await dump());
    else {
      const environment = { DATABASE_URL: await folder.databaseUrl() };
      const { code, errors } = await runHere(backupCommand, ['backup.db'], { environment, folder: folder.path });
      expect(code, errors).to.equal(0);
    }
    const isDatabase = (path: string) => path.startsWith(folder.databaseFile.slice(folder.path.length + 1));
    expect(filesWithCanaries().some(isDatabase)).to.equal(!ON_POSTGRES);
    const copies = filesWithCanaries().filter((path) => !isDatabase(path));
    const kept = Object.keys(COPIES).filter((path) => path !== (ON_POSTGRES ? 'backup.db' : 'dump.sql'));
    expect([...copies].sort()).to.deep.equal(kept.sort());
    for (const path of copies) expect(privacyDocument()).to.include(COPIES[path]);
    await desk.output('erase', ...RECORDS, '--yes');
    expect(filesWithCanaries().filter(isDatabase)).to.deep.equal([]);
    if (ON_POSTGRES) expect(await dump()).not.to.match(CANARY);
  });
});
