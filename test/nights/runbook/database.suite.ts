import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { mountSmallDisk, type SmallDisk } from '../../databases/durability/small-disk.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { damageTable } from '../../support/database/damage-table.ts';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { freePort } from '../../support/process/free-port.ts';
import type { ReadyService } from '../../support/process/service-process.ts';
import { startedServices } from '../../support/process/started-services.ts';
import { skipTest } from '../../support/skip-test.ts';
import { metricValues } from '../../unit/doctor/metric-values.ts';
import { operatorAt } from './runbook.ts';

/** A server for databases of tests, which `npm run ci -- runbook` starts. */
const POSTGRES = process.env.RUNBOOK_POSTGRES;

describe('When the database fails', () => {
  const services = startedServices();
  let operationsPort: number;
  let settings: Record<string, string>;
  const file = () => join(services.folder.path, 'hospital.db');
  beforeEach(async () => {
    operationsPort = await freePort();
    settings = { OPERATIONS_PORT: String(operationsPort), DATABASE_URL: `sqlite:${file()}` };
  });

  const readyz = async () => {
    const answer = await fetch(`http://127.0.0.1:${operationsPort}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };
  const untilReadyz = async (words: RegExp) => {
    while (!words.test(await readyz())) await new Promise((resume) => setTimeout(resume, 100));
  };
  const book = async ({ endpoint }: ReadyService, patient: string, time: string) =>
    callOver('httpPost', endpoint, 'Fetch_Details', {
      ...BOOKING_PARAMETERS,
      RegistrationNumber: patient,
      app_time: `2027-01-18T${time}:00`,
    });

  it('a damaged file is replaced by a backup, and the trail names what was booked since', async () => {
    const operator = operatorAt('The database file is damaged', services.folder.path, settings);
    const first = await services.ready(settings);
    expect((await book(first, 'R-1', '10:15')).status).to.equal(200);
    expect(
      (
        await operatorAt('TPWebServicesBackupOld', services.folder.path, settings).runs('tpws backup FILE', {
          FILE: 'backup',
        })
      ).code,
    ).to.equal(0);
    expect((await book(first, 'R-2', '11:15')).status).to.equal(200);
    damageTable(file(), 'feedback');
    await callOver('httpPost', first.endpoint, 'Feedback', { AppointmentID: 1 });
    operator.reads('Stop every instance of the service that uses the file');
    await first.stop();
    operator.reads('Copy the file with its `-wal` and `-shm` files to another disk.');
    for (const end of ['', '-wal', '-shm']) {
      if (existsSync(file() + end)) renameSync(file() + end, join(services.folder.path, `copy.db${end}`));
    }
    const restored = await operator.runs('tpws restore FILE --force', { FILE: 'backup' });
    expect(restored.code, restored.output).to.equal(0);
    operator.reads('Then run `tpws doctor`, which reads the whole file (`integrity`).');
    expect((await operator.runs('tpws doctor')).output).to.match(/^ok +integrity/m);
    const recovered = await operator.runs("sqlite3 COPY .dump | sed 's/^ROLLBACK.*/COMMIT;/' | sqlite3 recovered.db", {
      COPY: 'copy.db',
    });
    expect(recovered.code, recovered.output).to.equal(0);
    operator.reads('Point `DATABASE_URL` at `recovered.db` to run `tpws export` and `tpws audit`');
    const there = { ...settings, DATABASE_URL: `sqlite:${join(services.folder.path, 'recovered.db')}` };
    const { code, output } = await operatorAt('The database file is damaged', services.folder.path, there).runs(
      'tpws audit',
    );
    expect(code, output).to.equal(0);
    const booked = (text: string) => text.split('\n').filter((line) => /,Fetch_Details,C,0,/.test(line)).length;
    expect([booked(output), booked((await operator.runs('tpws audit')).output)]).to.deep.equal([2, 1]);
    const again = await services.ready(settings);
    expect((await book(again, 'R-2', '11:15')).status).to.equal(200);
    expect(await readyz()).to.equal('200 ready');
  });

  it('a file that was moved is moved back; one that was deleted is recovered from the process', async () => {
    const operator = operatorAt(
      'The database file is gone, or was replaced, while the service ran',
      services.folder.path,
      settings,
    );
    const service = await services.ready(settings);
    expect((await book(service, 'R-1', '10:15')).status).to.equal(200);
    renameSync(file(), `${file()}.moved`);
    await untilReadyz(/^503 The database file is gone while the service ran/);
    operator.reads('If the file was moved, move it back. The service then continues by itself.');
    renameSync(`${file()}.moved`, file());
    await untilReadyz(/^200 ready/);
    expect((await book(service, 'R-2', '11:15')).status).to.equal(200);
    for (const end of ['', '-wal', '-shm']) rmSync(`${file()}${end}`);
    await untilReadyz(/^503/);
    operator.reads('Make a copy before you stop anything.');
    const { output } = await operator.runs('ls -l /proc/PID/fd', { PID: service.processId });
    const descriptor = (name: string) => new RegExp(` (\\d+) -> \\S*/${name} \\(deleted\\)`).exec(output)?.[1] ?? name;
    const copy = 'cp /proc/PID/fd/N copy.db';
    const names = { PID: service.processId, N: descriptor('hospital\\.db') };
    expect((await operator.runs(copy, names)).code).to.equal(0);
    operator.reads('recover the `-wal` file in the same way, as `copy.db-wal`');
    const log = { ...names, 'copy.db': 'copy.db-wal', N: descriptor('hospital\\.db-wal') };
    expect((await operator.runs(copy, log)).code).to.equal(0);
    const doctor = await operator.runs('DATABASE_URL=sqlite:copy.db tpws doctor');
    expect(doctor.output).to.match(/^ok +integrity/m);
    const copied = operatorAt('The database file is damaged', services.folder.path, {
      ...settings,
      DATABASE_URL: 'sqlite:copy.db',
    });
    const trail = await copied.runs('tpws audit');
    expect(trail.output.match(/,Fetch_Details,C,0,/g)).to.have.length(2);
  });

  it('a database that does not answer in time is found in pg_stat_activity; the service continues by itself', async function () {
    if (POSTGRES === undefined) skipTest(this, 'npm run ci -- runbook starts the PostgreSQL server');
    const operator = operatorAt(
      'The database does not answer in time, or cannot be read',
      services.folder.path,
      settings,
    );
    const url = Object.assign(new URL(POSTGRES), { pathname: '/runbook' }).href;
    await asAdministrator(POSTGRES, (client) => client.query('CREATE DATABASE runbook TEMPLATE template0'));
    await services.ready({ ...settings, DATABASE_URL: url });
    expect(await readyz()).to.equal('200 ready');
    operator.reads('In `pg_stat_activity`, look for long transactions and for sessions that wait for locks');
    await asAdministrator(url, async (client) => {
      await client.query("SELECT string_agg(format('%I', tablename), ', ') FROM pg_tables WHERE schemaname = 'public'");
      await client.query('BEGIN');
      const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
      await client.query(`LOCK TABLE ${rows.map(({ tablename }) => tablename).join(', ')}`);
      await untilReadyz(/^503 The database does not answer in time/);
      const waiting = await client.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      expect(waiting.rows).to.have.length.above(0);
      await client.query('ROLLBACK');
    });
    operator.reads('The service continues by itself once the database answers.');
    await untilReadyz(/^200 ready/);
  });

  it('a full disk keeps nothing from being read; the service continues when there is space', async function () {
    const operator = operatorAt('The disk is full, or the database cannot be written', services.folder.path, settings);
    const disk: SmallDisk | undefined = mountSmallDisk(join(services.folder.path, 'disk'), 24);
    if (disk === undefined) skipTest(this, 'a file system cannot be mounted here');
    try {
      const service = await services.ready({ ...settings, DATABASE_URL: `sqlite:${join(disk.path, 'small.db')}` });
      await disk.fill();
      // The first may fit into what the write-ahead log already takes of the disk.
      const statuses: number[] = [];
      for (let hour = 9; hour < 13 && !statuses.includes(503); hour++) {
        statuses.push((await book(service, `R-${hour}`, `${`${hour}`.padStart(2, '0')}:15`)).status);
      }
      expect(statuses.at(-1)).to.equal(503);
      operator.reads('Calls that need to write nothing are answered as usual.');
      expect((await callOver('httpGet', service.endpoint, 'GetDoctor', { centerid: 1 })).status).to.equal(200);
      operator.reads('Every other call gets `Unavailable` and changes nothing');
      operator.reads('the log line `call failed` has the reason `disk full`');
      await service.printed('"reason":"disk full"');
      const page = await (await fetch(`http://127.0.0.1:${operationsPort}/metrics`)).text();
      const failed = 'tpws_calls_total{operation="Fetch_Details",transport="httpPost",outcome="Unavailable"}';
      expect(metricValues(page).get(failed)).to.equal(1);
      operator.reads('`/readyz` still answers `ready`');
      expect(await readyz()).to.equal('200 ready');
      operator.reads('Free space on the disk');
      await disk.empty();
      operator.reads('The service then continues by itself.');
      expect((await book(service, 'R-1', '12:30')).record.ResultCode).to.equal('0');
      await service.stop();
    } finally {
      disk.remove();
    }
  });

  it('a start without a database says so; a new hospital gets one', async () => {
    const operator = operatorAt('There is no TPWebServices database', services.folder.path, settings);
    const wrong = services.start({ ...settings, DATABASE_CREATE: 'false' });
    expect(await wrong.exited()).to.equal(1);
    expect(wrong.errors()).to.include('There is no TPWebServices database');
    operator.reads('start the service once with `DATABASE_CREATE=true` and then remove that setting');
    await (await services.ready({ ...settings, DATABASE_CREATE: 'true' })).stop();
    await services.ready({ ...settings, DATABASE_CREATE: 'false' });
    expect(await readyz()).to.equal('200 ready');
  });
});
