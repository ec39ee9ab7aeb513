import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DefineCommand } from '../../../src/commands/command-host.ts';
import { copyDatabase } from '../../../src/commands/copies/copy-database.ts';
import { backupCommand, copyCommand, migrateCommand, restoreCommand } from '../../../src/commands/database-commands.ts';
import { exportCommand } from '../../../src/commands/export-command.ts';
import { importCommand } from '../../../src/commands/import-command.ts';
import { readConfig } from '../../../src/settings/config.ts';
import type { PostgresLocation } from '../../../src/store/database-location.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { firstValue, openFile } from '../../../src/store/sqlite/database-file.ts';
import { ALL_FILES } from '../../support/commands/command-folder.ts';
import { doctorsLine } from '../../support/commands/doctors-line.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { writeMigratedFile } from '../../support/database/migrated-file.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';
import { BOOKING_PARAMETERS, patient } from '../../support/http/booking-parameters.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { perTest } from '../../support/prepared.ts';
import { startService, TEST_NOW } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

(ON_POSTGRES ? describe : describe.skip)('The command copy (npm run ci -- postgres)', () => {
  const folder = perTest(temporaryFolder);
  let file: string;
  let source: string;
  const target = perTest(() => emptyPostgresDatabase());

  beforeEach(async () => {
    file = join(folder.path, 'hospital.db');
    source = `sqlite:${file}`;
    await writeMigratedFile(file);
    for (const [name, text] of Object.entries(ALL_FILES)) writeFileSync(join(folder.path, `${name}.csv`), text);
    const files = ['centers.csv', 'doctors.csv', 'leave.csv', 'templates.csv'];
    const host = { environment: { DATABASE_URL: source }, folder: folder.path };
    expect((await runHere(importCommand, files, host)).errors).to.equal('');
    await serving(source, async (call) => {
      await call('Fetch_Details', { ...BOOKING_PARAMETERS, area: 'ஆஷா "\\, {}' });
      const cancel = { AppointmentID: 1, type: 6, appdate: '2027-01-18', apptime: '10:15', centerid: 1 };
      await call('Appointment_Status_Updates', cancel);
      await call('Fetch_Details', BOOKING_PARAMETERS);
      const feedback = { ipno: 'IP-1', roomno: '', moblieno: '', dept: 'ENT', needsimprovementcommit: 'a\nb' };
      await call('FB_Push_Details', feedback);
      await call('Sent_SMS', { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 0 });
    });
  });

  type Call = (operation: string, parameters: Record<string, string | number>) => Promise<Record<string, string>>;

  async function serving(url: string, work: (call: Call) => Promise<void>): Promise<void> {
    const service = await startService({ environment: { DATABASE_URL: url, DEMO_DATA: 'false', SMS_GATEWAY: 'off' } });
    try {
      await work(
        async (operation, parameters) => (await callOver('httpPost', service.endpoint, operation, parameters)).record,
      );
    } finally {
      await service.close();
    }
  }

  const location = () => readConfig({ DATABASE_URL: target.url }).database as PostgresLocation;
  const copy = (from = source, to = target.url) => {
    // A URL with a password is read only from a file.
    writeFileSync(join(folder.path, 'target-url'), to, { mode: 0o600 });
    return runHere(copyCommand, ['--to-file', 'target-url'], {
      environment: { DATABASE_URL: from },
      folder: folder.path,
    });
  };
  const rowsOf = (table: string) =>
    asAdministrator(target.url, async (client) => (await client.query(`SELECT * FROM ${table} ORDER BY id`)).rows);

  it('copies every row, says how many and with which checksum, and what to do next', async () => {
    const { code, output, errors } = await copy();
    expect([code, errors]).to.deep.equal([0, '']);
    expect(output).to.match(/^appointment: 2 rows, checksum [0-9a-f]{16}$/m);
    expect(output).to.match(/^audit_event: 5 rows/m);
    expect(output).to.include(`Next: DATABASE_URL_FILE=${join(folder.path, 'target-url')}, start the service`);
    const database = openFile(file, { readOnly: true });
    for (const table of ['appointment', 'audit_event', 'feedback', 'message']) {
      const rows = database.prepare(`SELECT * FROM ${table} ORDER BY id`).all() as Record<string, unknown>[];
      const values = (row: Record<string, unknown>) => Object.entries(row).map(([name, value]) => `${name}: ${value}`);
      const copied = (await rowsOf(table)).map(values).map((row) => row.sort());
      expect(copied, table).to.deep.equal(rows.map(values).map((row) => row.sort()));
    }
    database.close();
  });

  it('notes in the file where it went, and a second copy does not take that note along', async () => {
    await copy();
    const note = () => {
      const database = openFile(file, { readOnly: true });
      try {
        return firstValue<string>(database, "SELECT value FROM service_fact WHERE name = 'copied-to'");
      } finally {
        database.close();
      }
    };
    expect(note()).to.match(/^PostgreSQL [\d.]+ at [\d.:]+, database \w+, on 2026-11-20T03:00:00/);
    const failed = await startService({ environment: { DATABASE_URL: source } }).catch(String);
    expect(failed).to.include(`The SQLite file was copied to ${note()}, and is no longer the hospital's database`);
    const second = await emptyPostgresDatabase();
    try {
      expect(await copy(source, second.url)).to.include({ code: 0, errors: '' });
      await serving(second.url, async () => {});
    } finally {
      await second.remove();
    }
  });

  it('notes nothing if it fails', async () => {
    await asAdministrator(target.url, (client) => client.query('CREATE TABLE invoice (id integer)'));
    expect(await copy()).to.include({ code: 1 });
    await serving(source, async () => {});
  });

  it('lets the service continue: new numbers, the same appointments, the same constraints', async () => {
    await copy();
    await serving(target.url, async (call) => {
      expect(await call('Appointment_Status', { AppointmentID: 2, centerid: 1 })).to.include({ StatusText: 'Booked' });
      expect(await call('Fetch_Details', BOOKING_PARAMETERS)).to.include({ ResultCode: '1', AppointmentID: '2' });
      const other = { ...BOOKING_PARAMETERS, ...patient(2) };
      expect(await call('Fetch_Details', other)).to.include({ ResultCode: '14' });
      expect(await call('Fetch_Details', { ...other, app_time: '2027-01-18T11:15:00' })).to.include({
        AppointmentID: '3',
      });
    });
  });

  it('refuses a target that has rows, and does not change it', async () => {
    await copy();
    const { code, output, errors } = await copy();
    expect([code, output]).to.deep.equal([1, '']);
    expect(errors).to.match(/contains rows in table \w+; expected an empty database/);
    expect(await rowsOf('appointment')).to.have.length(2);
  });

  it('refuses a target with the tables of another program', async () => {
    await asAdministrator(target.url, (client) => client.query('CREATE TABLE invoice (id integer)'));
    expect((await copy()).errors).to.match(/contains other tables, or those of another version; expected an empty/);
    await asAdministrator(target.url, async (client) => {
      const { rows } = await client.query("SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'");
      expect(rows[0].n).to.equal(1);
    });
  });

  it('accepts the empty tables that a copy leaves behind when it is interrupted', async () => {
    await (await openStore(location())).close();
    expect(await copy()).to.include({ code: 0, errors: '' });
  });

  it('copies nothing if something is written to the file meanwhile', async () => {
    const service = openFile(file);
    const writes = setInterval(() => service.exec("UPDATE center SET name = name || '.'"));
    const failed = await copyDatabase(file, location(), TEST_NOW, () => {}).catch(String);
    clearInterval(writes);
    service.close();
    expect(failed).to.match(/Something was written to the file meanwhile, so nothing was copied/);
    expect(await rowsOf('appointment')).to.have.length(0);
    expect(await copy()).to.include({ code: 0, errors: '' });
  });

  it('copies nothing if a row cannot be read back as it was written', async () => {
    await (await openStore(location())).close();
    await asAdministrator(target.url, (client) =>
      client.query(`CREATE FUNCTION garble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.area = 'x'; RETURN NEW; END $$;
        CREATE TRIGGER garble BEFORE INSERT ON appointment FOR EACH ROW EXECUTE FUNCTION garble()`),
    );
    const { code, errors } = await copy();
    expect(code).to.equal(1);
    expect(errors).to.match(/^Table appointment is not the same in the target: 2 rows with checksum \w+, expected 2/);
    expect(await rowsOf('appointment')).to.have.length(0);
  });

  it('says what is wrong with the source or the target', async () => {
    const nowhere = await copy(`sqlite:${join(folder.path, 'nowhere.db')}`);
    expect(nowhere.errors).to.match(/^There is no database .*nowhere\.db; expected/);
    expect(await copy(source, 'sqlite:other.db')).to.include({
      code: 2,
      errors: 'Expected DATABASE_URL to name an SQLite file, and the target to be a PostgreSQL database.\n',
    });
    expect((await copy(source, 'mysql://a')).errors).to.include('expected sqlite:FILE');
  });
});

describe('The command copy', () => {
  for (const args of [[], ['--to-file', 'target-url', '--stay']]) {
    it(`needs a file that names the target, or --stay: ${args.join(' ') || 'nothing'}`, async () => {
      expect(await runHere(copyCommand, args, {})).to.include({ code: 2, errors: 'Expected --to-file or --stay.\n' });
    });
  }
});

describe('A file that was copied', () => {
  const SAID = /The SQLite file was copied to PostgreSQL 16, on a day, and is no longer.* run tpws copy --stay\./;
  const folder = perTest(temporaryFolder);
  const path = (name = 'hospital.db') => join(folder.path, name);
  const environment = () => ({ DATABASE_URL: `sqlite:${path()}`, DEMO_DATA: 'false', SMS_GATEWAY: 'off' });
  const run = (command: DefineCommand, ...args: readonly string[]) =>
    runHere(command, args, { environment: environment(), folder: folder.path });
  const start = async () => (await startService({ environment: environment() })).close();
  const refusal = () =>
    start().then(
      () => 'it started',
      (error: Error) => error.message,
    );

  beforeEach(async () => {
    await writeMigratedFile(path());
    writeFileSync(path('centers.csv'), ALL_FILES.centers);
    expect(await run(backupCommand, 'before.db')).to.include({ code: 0 });
    const database = openFile(path());
    database.exec("INSERT INTO service_fact VALUES ('copied-to', 'PostgreSQL 16, on a day')");
    database.close();
  });

  it('is refused by a start, an import and an upgrade', async () => {
    expect(await refusal()).to.match(SAID);
    for (const [command, ...args] of [[importCommand, 'centers.csv'], [migrateCommand]] as const) {
      const { code, errors } = await run(command, ...args);
      expect(code).to.equal(1);
      expect(errors).to.match(SAID);
    }
  });

  it('is wrong to the doctor', async () => {
    expect(await doctorsLine(environment().DATABASE_URL, 'database +The'))
      .to.match(/^wrong /)
      .and.match(SAID);
  });

  it('can be exported and backed up, and starts after tpws copy --stay', async () => {
    expect(await run(exportCommand, 'centers')).to.include({ code: 0, errors: '' });
    expect((await run(copyCommand, '--stay')).output).to.equal(
      `The service may go on with the SQLite file ${path()}.\n`,
    );
    await start();
  });

  it('is refused when it is restored from a backup of after the copy, and starts from one of before', async () => {
    expect(await run(backupCommand, 'after.db')).to.include({ code: 0, errors: '' });
    await run(restoreCommand, '--force', 'after.db');
    expect(await refusal()).to.match(SAID);
    await run(restoreCommand, '--force', 'before.db');
    await start();
  });
});
