import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeHospital } from '../../../scripts/bench/write-hospital.ts';
import type { DefineCommand } from '../../../src/commands/command-host.ts';
import { copyCommand } from '../../../src/commands/database-commands.ts';
import { exportCommand } from '../../../src/commands/export-command.ts';
import { importCommand } from '../../../src/commands/import-command.ts';

import type { RehearsalReport } from '../../../src/commands/rehearse/tally.ts';
import { TRANSPORTS, type Transport } from '../../../src/contract/contract.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { startRehearsal } from '../../support/commands/start-rehearsal.ts';
import { emptyPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../../support/database/test-database.ts';
import { callOver, type Parameters, requestOver } from '../../support/http/four-transports.ts';
import { startOldService } from '../../support/http/old-service.ts';
import { startService } from '../../support/process/start-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/process/temporary-folder.ts';

const SIZE = { centers: 3, doctors: 40, appointments: 5000 };
/** The first and the last AppointmentID that the old service gave out. */
const [FIRST_ID, LAST_ID] = [10_000, 14_999];
const NOW = Date.now();
/** In days from today; the last of the appointments are on the fifth day, until noon. */
const day = (ahead: number): string => Temporal.Now.plainDateISO('Asia/Kolkata').add({ days: ahead }).toString();
const FIRST_DAY = 2;
const FREE_DAY = day(FIRST_DAY + 4);
/** A value of `type` that the old callers used, and that this service does not know by itself. */
const OLD_TYPE = 11;

/** One program for each transport, with what it sends; `n` keeps their bookings apart. */
const booking = (n: number, time: string, doctor = 1001): Parameters => ({
  DoctorID: doctor,
  RegistrationNumber: `NEW-${n}-${time}`,
  app_date: `${FREE_DAY}T00:00:00`,
  app_time: `${FREE_DAY}T${time}:00`,
  title: '',
  Name: `New Patient ${'ABCDEFGH'.charAt(n)}`,
  Sex: '',
  Age: '',
  area: '',
  contactnumber: `97${10_000_000 + n}`,
  email: '',
  centerid: 1,
});
const move = (AppointmentID: number, centerid: number, time: string): Parameters => ({
  AppointmentID,
  type: OLD_TYPE,
  appdate: `${FREE_DAY}T00:00:00`,
  apptime: `${FREE_DAY}T${time}:00`,
  centerid,
});

/** The steps of docs/callers/moving.md, in order, with the commands that it names. */
describe('A hospital of 3 centers, 40 doctors and 5,000 existing appointments', () => {
  let folder: TemporaryFolder;
  let target: OwnDatabase | undefined;
  let files: readonly string[];
  before(async () => {
    folder = temporaryFolder();
    mkdirSync(join(folder.path, 'hospital'));
    const written = await writeHospital(join(folder.path, 'hospital'), {
      ...SIZE,
      firstDay: Temporal.PlainDate.from(day(FIRST_DAY)),
    });
    files = written.map((name) => `hospital/${name}`);
    target = ON_POSTGRES ? await emptyPostgresDatabase() : undefined;
  });
  after(() => target?.remove());

  async function run(command: DefineCommand, url: string, ...args: readonly string[]): Promise<string> {
    const host = { environment: { DATABASE_URL: url }, folder: folder.path, clock: () => NOW };
    const { code, output, errors } = await runHere(command, args, host);
    expect(errors).to.equal('');
    expect(code).to.equal(0);
    return output;
  }
  const sqlite = (name: string): string => `sqlite:${join(folder.path, name)}`;
  const exported = (name: string): string => readFileSync(join(folder.path, name, 'appointments.csv'), 'utf8');

  async function serving(
    url: string,
    types: string,
    work: (
      call: (transport: Transport, operation: string, parameters: Parameters) => Promise<Parameters>,
    ) => Promise<void>,
  ): Promise<void> {
    const environment = { DATABASE_URL: url, DEMO_DATA: 'false', SMS_GATEWAY: 'off', APPOINTMENT_TYPES: types };
    const service = await startService({ environment });
    service.clock.now = NOW;
    await work(async (transport, operation, parameters) => {
      const { record } = await callOver(transport, service.endpoint, operation, parameters);
      return record;
    });
    await service.close();
  }

  it('moves from its old service to SQLite, and on to another database, with every existing number', async function () {
    this.timeout(120_000);
    // Into a trial database; the second time nothing changes.
    const trial = sqlite('trial.db');
    expect(await run(importCommand, trial, ...files)).to.include('appointments: 5000 added');
    expect(await run(importCommand, trial, '--dry-run', ...files)).to.include('Nothing changes.');

    // A rehearsal: the four programs get the old service's answers, and the report says what to set.
    const types = await rehearsed(trial);
    expect(types).to.equal(`${OLD_TYPE}=Reschedule`);

    // The cut-over.
    const hospital = sqlite('hospital.db');
    await run(importCommand, hospital, ...files);
    let lastGiven = LAST_ID;
    await serving(hospital, types, async (call) => {
      for (const [n, transport] of TRANSPORTS.entries()) {
        const old = { AppointmentID: FIRST_ID + 1 + 2 * n, centerid: (((1 + 2 * n) % SIZE.doctors) % 3) + 1 };
        expect(await call(transport, 'Appointment_Status', old), transport).to.include({
          ResultCode: '0',
          AppointmentID: `${old.AppointmentID}`,
          StatusText: 'Booked',
          appdate: `${day(FIRST_DAY)}T00:00:00`,
        });
        const time = `17:${15 * n || '00'}`;
        const given = await call(transport, 'Fetch_Details', booking(n, time));
        expect(given, transport).to.include({ ResultCode: '0' });
        expect(Number(given.AppointmentID)).to.equal(lastGiven + 1);
        lastGiven++;
        const taken = { ...booking(n, '09:00', 1003), app_date: `${day(FIRST_DAY)}T00:00:00` };
        expect(await call(transport, 'Fetch_Details', taken), transport).to.include({ ResultCode: '14' });
        const moved = await call(
          transport,
          'Appointment_Status_Updates',
          move(old.AppointmentID, old.centerid, `18:${15 * n || '00'}`),
        );
        expect(moved, transport).to.include({ ResultCode: '0', StatusText: 'Booked', Changed: 'true' });
      }
    });
    expect(await run(exportCommand, hospital, '--out', 'before', 'appointments')).to.include(': 5004 rows');

    // On to PostgreSQL, with the service stopped, if these tests have a server.
    const next = target?.url ?? hospital;
    if (target !== undefined) {
      writeFileSync(join(folder.path, 'target-url'), next, { mode: 0o600 });
      expect(await run(copyCommand, hospital, '--to-file', 'target-url')).to.match(
        /^appointment: 5004 rows, checksum/m,
      );
    }
    await serving(next, types, async (call) => {
      for (const [n, transport] of TRANSPORTS.entries()) {
        const time = `17:${15 * n || '00'}`;
        expect(await call(transport, 'Fetch_Details', booking(n, time)), transport).to.include({
          ResultCode: '1',
          AppointmentID: `${LAST_ID + 1 + n}`,
        });
      }
      const old = { AppointmentID: LAST_ID, centerid: (((LAST_ID - FIRST_ID) % SIZE.doctors) % 3) + 1 };
      expect(await call('soap12', 'Appointment_Status', old)).to.include({
        ResultCode: '0',
        appdate: `${FREE_DAY}T00:00:00`,
      });
    });
    await run(exportCommand, next, '--out', 'after', 'appointments');
    expect(exported('after')).to.equal(exported('before'));
    await serving(next, types, async (call) => {
      const given = await call('soap11', 'Fetch_Details', booking(7, '19:00'));
      expect(Number(given.AppointmentID)).to.be.greaterThan(lastGiven);
    });
  });

  /** Lets four programs call the old service through a rehearsal; returns the proposal for APPOINTMENT_TYPES. */
  async function rehearsed(url: string): Promise<string> {
    const old = await startOldService();
    const host = { environment: { DATABASE_URL: url, APPOINTMENT_TYPES: '' }, folder: folder.path };
    const { port, stop, ended } = await startRehearsal(old.url, host);
    for (const [n, transport] of TRANSPORTS.entries()) {
      const calls: readonly (readonly [operation: string, parameters: Parameters])[] = [
        ['GetDoctor', { centerid: 1 }],
        ['Appointment_Status', { AppointmentID: FIRST_ID + 3, centerid: 1 }],
        ['Fetch_Details', booking(n, `17:${15 * n || '00'}`)],
        ['Appointment_Status_Updates', move(FIRST_ID + 3, 1, '19:00')],
      ];
      for (const [operation, parameters] of calls) {
        const answers = [`http://127.0.0.1:${port}/TPWebServices.asmx`, old.url].map(async (endpoint) => {
          const { url: to, ...init } = requestOver(transport, endpoint, operation, parameters);
          const headers = { ...init.headers, 'User-Agent': `Program ${transport}` };
          const response = await fetch(to, { ...init, headers });
          return { status: response.status, body: await response.text() };
        });
        const [through, straight] = await Promise.all(answers);
        expect(through, `${operation} over ${transport}`).to.deep.equal(straight);
      }
    }
    stop();
    const { code, errors } = await ended;
    expect(errors).to.equal('');
    expect(code).to.equal(0);
    const report: RehearsalReport = JSON.parse(
      readFileSync(join(folder.path, 'data/rehearsal/rehearsal.json'), 'utf8'),
    );
    expect(report).to.include({ requests: 16, done: 12, refused: 4, notTried: 0, notHttp: 0 });
    expect(report.refusals.map(({ code }) => code)).to.deep.equal(['UnknownType']);
    return report.types.setting ?? '';
  }
});
