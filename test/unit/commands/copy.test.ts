import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyDatabase } from '../../../src/commands/copies/copy-database.ts';
import { copyCommand } from '../../../src/commands/database-commands.ts';
import { importCommand } from '../../../src/commands/import-command.ts';
import { readConfig } from '../../../src/settings/config.ts';
import type { PostgresLocation } from '../../../src/store/database-location.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { ALL_FILES } from '../../support/commands/command-folder.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { writeMigratedFile } from '../../support/database/migrated-file.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';
import { BOOKING_PARAMETERS, patient } from '../../support/http/booking-parameters.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { perTest } from '../../support/prepared.ts';
import { startService } from '../../support/process/start-service.ts';
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
    const failed = await copyDatabase(file, location()).catch(String);
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
  it('needs a file that names the target', async () => {
    expect((await runHere(copyCommand, [], {})).errors).to.include("required option '--to-file <file>'");
  });
});
