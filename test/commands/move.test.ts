import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { moveCommand } from '../../src/commands/move-command.ts';
import { readConfig } from '../../src/settings/config.ts';
import { moveDatabase } from '../../src/store/move/move-database.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type CommandFolder, commandFolder, writeAll } from '../support/commands/command-folder.ts';
import { runHere } from '../support/commands/run-here.ts';
import { emptyPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../support/database/test-database.ts';
import { BOOKING_PARAMETERS } from '../support/http/booking-parameters.ts';
import { callOver } from '../support/http/four-transports.ts';
import { startService } from '../support/process/start-service.ts';

describe('The command move', () => {
  let folder: CommandFolder;
  let empty: OwnDatabase | undefined;

  beforeEach(async () => {
    folder = commandFolder();
    empty = ON_POSTGRES ? await emptyPostgresDatabase() : undefined;
    writeAll(folder);
    await folder.imported('centers.csv', 'doctors.csv', 'leave.csv', 'templates.csv');
    await serving(await folder.databaseUrl(), async (call) => {
      await call('Fetch_Details', { ...BOOKING_PARAMETERS, area: 'ஆஷா "\\, {}' });
      await call('Appointment_Status_Updates', {
        AppointmentID: 1,
        type: 6,
        appdate: '2027-01-18',
        apptime: '10:15',
        centerid: 1,
      });
      await call('Fetch_Details', BOOKING_PARAMETERS);
      await call('FB_Push_Details', {
        ipno: 'IP-1',
        roomno: '',
        moblieno: '',
        dept: 'ENT',
        needsimprovementcommit: 'a\nb',
      });
      await call('Sent_SMS', { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 0 });
    });
  });

  afterEach(async () => {
    folder.dispose();
    await empty?.remove();
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

  const move = (from: string, to: string) => {
    // A URL with a password is read only from a file.
    writeFileSync(join(folder.path, 'target-url'), to, { mode: 0o600 });
    const target = to.startsWith('postgres') ? ['--to-file', 'target-url'] : ['--to', to];
    return runHere(moveCommand, target, { environment: { DATABASE_URL: from }, folder: folder.path });
  };
  /** An empty database of the kind that these tests run on. */
  const emptyUrl = (): string => empty?.url ?? fileUrl('second.db');
  const fileUrl = (name: string): string => `sqlite:${join(folder.path, name)}`;
  const tableLines = (output: string) => output.split('\n').filter((line) => line.includes('checksum'));

  it('copies every row there and back, with the same checksums', async () => {
    const source = await folder.databaseUrl();
    const there = await move(source, fileUrl('first.db'));
    expect(there.errors).to.equal('');
    expect(there.code).to.equal(0);
    const back = await move(fileUrl('first.db'), emptyUrl());
    expect(back.errors).to.equal('');
    expect(tableLines(back.output)).to.deep.equal(tableLines(there.output));
    expect(there.output).to.match(/^appointment: 2 rows, checksum [0-9a-f]{16}$/m);
    expect(there.output).to.match(/^audit_event: 5 rows/m);
    expect(there.output).to.match(/^Next: DATABASE_URL=sqlite:.*first\.db, start the service/m);
  });

  it('lets the service continue: new numbers, the same appointments, the same constraints', async () => {
    await move(await folder.databaseUrl(), fileUrl('first.db'));
    await move(fileUrl('first.db'), emptyUrl());
    await serving(emptyUrl(), async (call) => {
      expect(await call('Appointment_Status', { AppointmentID: 2, centerid: 1 })).to.include({ StatusText: 'Booked' });
      expect(await call('Fetch_Details', BOOKING_PARAMETERS)).to.include({ ResultCode: '1', AppointmentID: '2' });
      const other = {
        ...BOOKING_PARAMETERS,
        Name: 'Ravi Kumar',
        RegistrationNumber: 'R-2',
        contactnumber: '9845012346',
      };
      expect(await call('Fetch_Details', other)).to.include({ ResultCode: '14' });
      expect(await call('Fetch_Details', { ...other, app_time: '2027-01-18T11:15:00' })).to.include({
        AppointmentID: '3',
      });
    });
  });

  it('refuses a target that has rows, and does not change it', async () => {
    const source = await folder.databaseUrl();
    await move(source, emptyUrl());
    const { code, output, errors } = await move(source, emptyUrl());
    expect(code).to.equal(1);
    expect(output).to.equal('');
    expect(errors).to.match(
      ON_POSTGRES ? /contains rows in table appointment; expected an empty one/ : /second\.db exists already/,
    );
  });

  it('completes an earlier move that was interrupted', async () => {
    if (ON_POSTGRES) await (await openStore(readConfig({ DATABASE_URL: emptyUrl() }).database)).close();
    else writeFileSync(join(folder.path, 'second.db.part'), 'half of a file');
    const { code, errors } = await move(await folder.databaseUrl(), emptyUrl());
    expect(errors).to.equal('');
    expect(code).to.equal(0);
    expect(existsSync(join(folder.path, 'second.db.part'))).to.equal(false);
  });

  if (ON_POSTGRES) {
    it('fails with a clear message if a service is connected to the source, which may write at any moment', async () => {
      const from = await folder.databaseUrl();
      const service = await openStore(readConfig({ DATABASE_URL: from }).database);
      await service.read(({ reference }) => reference.version());
      const { code, errors } = await move(from, emptyUrl());
      await service.close();
      expect(code).to.equal(1);
      expect(errors).to.match(/^But the source is in use/);
    });
  } else {
    it('copies the source as of one moment, and reports what was written to it meanwhile', async () => {
      const service = new Database(folder.databaseFile);
      const write = () => void service.exec('DELETE FROM message');
      const target = join(folder.path, 'second.db');
      const report = await moveDatabase(
        { kind: 'sqlite', path: folder.databaseFile },
        { kind: 'sqlite', path: target },
        write,
        () => () => {},
      );
      service.close();
      expect(report.isBehind).to.equal(true);
      expect(report.tables.find(({ name }) => name === 'message')?.rows).to.equal(1);
    });
  }

  it('accepts no password on the command line, where others can see it, and shows none', async () => {
    const from = await folder.databaseUrl();
    const secret = 'secret-word';
    for (const url of [
      `postgres://hospital:${secret}@127.0.0.1:1/hospital`,
      `postgres://hospital@127.0.0.1:1/hospital?password=${secret}`,
      `postgres://hospital:${secret}/word@127.0.0.1:1/hospital`,
    ]) {
      const { code, output, errors } = await runHere(moveCommand, ['--to', url], {
        environment: { DATABASE_URL: from },
        folder: folder.path,
      });
      expect(code).to.equal(2);
      expect(errors).to.match(/expected it in a file, named by --to-file/);
      expect(output + errors).not.to.include(secret);
    }
  });

  it('reads the target from a file, and names that file at the end', async () => {
    writeFileSync(join(folder.path, 'target'), `${emptyUrl()}\n`, { mode: 0o600 });
    const { code, output, errors } = await runHere(moveCommand, ['--to-file', 'target'], {
      environment: { DATABASE_URL: await folder.databaseUrl() },
      folder: folder.path,
    });
    expect([code, errors]).to.deep.equal([0, '']);
    expect(output).to.include(`Next: DATABASE_URL_FILE=${join(folder.path, 'target')}, start the service`);
  });

  it('says what is wrong with the source or the target, and leaves nothing behind', async () => {
    const nowhere = await move(fileUrl('nowhere.db'), emptyUrl());
    expect(nowhere.errors).to.match(/^There is no database .*nowhere\.db; expected/);
    expect((await move(await folder.databaseUrl(), 'mysql://a')).errors).to.include('expected sqlite:FILE');
    expect((await runHere(moveCommand, [], { folder: folder.path })).errors).to.include('--to');
    expect(existsSync(join(folder.path, 'second.db'))).to.equal(false);
  });
});
