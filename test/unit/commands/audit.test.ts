import { join } from 'node:path';
import { expect } from 'chai';
import { ANONYMOUS } from '../../../src/access/client.ts';
import { createAuditRefusal } from '../../../src/calls/call.ts';
import { auditCommand } from '../../../src/commands/audit/audit-command.ts';
import { Budgets } from '../../../src/log/budgets.ts';
import { createLog } from '../../../src/log/log.ts';
import { commandFolder, outputOf } from '../../support/commands/command-folder.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { auditEntry } from '../../support/database/audit-entry.ts';
import { BOOKING, DAY, type Hospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';
import { expectMode } from '../../support/process/on-windows.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';

const TITLES =
  'AuditID,RecordedOn,Operation,Action,Outcome,ResultCode,Code,Client,Address,Transport,CorrelationId,centerid,AppointmentID,DoctorID,Day,FeedbackID,SMSID,Shown,Operator,Reference,Move,FromStatus,ToStatus,FromStart,ToStart,Corrected';

describe('The audit export', () => {
  const folder = perTest(() => commandFolder());
  beforeEach(async () => {
    await folder.inHospital(async (hospital) => {
      await hospital.book();
      const move = { AppointmentID: 1, type: 1, appdate: '2027-01-19', apptime: '11:00', centerid: 1 };
      await hospital.call('Appointment_Status_Updates', move);
      const taken = { ...BOOKING, ...patient(2), app_date: '2027-01-19', app_time: '11:00' };
      await hospital.refused('Fetch_Details', taken, 14);
      hospital.clock.now += DAY;
      await hospital.dayOf(102, '2027-01-19');
      const log = createLog('silent');
      const refuse = createAuditRefusal({
        store: hospital.store,
        log,
        clock: () => TEST_NOW + 2 * DAY,
        budgets: new Budgets(log, () => 0),
      });
      const call = { client: ANONYMOUS, address: '10.0.0.7', transport: undefined, correlationId: 'id-9' };
      await refuse({ ...call, code: 'CrossSite' });
    });
  });

  const lines = async (...args: readonly string[]): Promise<readonly string[]> => {
    const output = outputOf(await folder.audit(...args));
    return output.map((line) => line.replace(/\r$/, ''));
  };
  const ids = async (...args: readonly string[]) =>
    (await lines('--format', 'ndjson', ...args)).map((line) => JSON.parse(line).AuditID);

  it('writes CSV to standard output, one row per call, oldest first', async () => {
    expect(await lines()).to.deep.equal([
      TITLES,
      '1,2026-11-20T03:00:00.000Z,Fetch_Details,C,0,0,,anonymous,10.0.0.7,httpPost,test,1,1,102,,,,,,,Book,,2,,2027-01-18T10:15:00,',
      '2,2026-11-20T03:00:00.000Z,Appointment_Status_Updates,U,0,0,,anonymous,10.0.0.7,httpPost,test,1,1,102,,,,,,,Reschedule,2,2,2027-01-18T10:15:00,2027-01-19T11:00:00,',
      '3,2026-11-20T03:00:00.000Z,Fetch_Details,C,4,14,,anonymous,10.0.0.7,httpPost,test,1,,102,,,,,,,,,,,,',
      '4,2026-11-21T03:00:00.000Z,OPAppointmentdetail,R,0,0,,anonymous,10.0.0.7,httpPost,test,1,,102,2027-01-19,,,1/1,,,,,,,,',
      '5,2026-11-22T03:00:00.000Z,,E,4,,CrossSite,anonymous,10.0.0.7,,id-9,,,,,,,,,,,,,,,',
    ]);
  });

  it('writes one JSON object per line, without fields that are empty in the row', async () => {
    const [, , , list] = await lines('--format', 'ndjson');
    expect(JSON.parse(list ?? '')).to.deep.equal({
      AuditID: 4,
      RecordedOn: '2026-11-21T03:00:00.000Z',
      ...{ Operation: 'OPAppointmentdetail', Action: 'R', Outcome: 0, ResultCode: 0 },
      ...{ Client: 'anonymous', Address: '10.0.0.7', Transport: 'httpPost', CorrelationId: 'test' },
      ...{ centerid: 1, DoctorID: 102, Day: '2027-01-19', Shown: '1/1' },
    });
  });

  it('writes with --new what was added since the previous run, once it is five minutes old', async () => {
    const environment = { DATABASE_URL: await folder.databaseUrl() };
    const copy = async (now: number, ...args: readonly string[]) => {
      const host = { environment, folder: folder.path, clock: () => now };
      const { code, output, errors } = await runHere(auditCommand, ['--new', 'copied', ...args], host);
      expect({ code, errors }).to.deep.equal({ code: 0, errors: '' });
      const rows = output.split('\r\n').slice(0, -1);
      return rows.map((line) => line.split(',')[0]);
    };
    const later = (days: number, minutes = 0) => TEST_NOW + days * DAY + minutes * 60_000;
    expect(await copy(later(0, 5))).to.deep.equal(['AuditID']);
    expect(await copy(later(0, 6))).to.deep.equal(['AuditID', '1', '2', '3']);
    expect(await copy(later(1, 4))).to.deep.equal([]);
    expect(await copy(later(1, 6))).to.deep.equal(['4']);
    await copy(later(3), '--out', 'rest.csv');
    expect(folder.read('rest.csv')).to.match(/^5,[^\n]*\n$/);
    expect(await copy(later(3))).to.deep.equal([]);
    expectMode(join(folder.path, 'copied'), 0o600);
  });

  it('writes with --new each row once, whatever time it has, and goes on from the file of an earlier version', async () => {
    const environment = { DATABASE_URL: await folder.databaseUrl() };
    const host = { environment, folder: folder.path, clock: () => TEST_NOW + 4 * DAY };
    const copy = async () => (await runHere(auditCommand, ['--format', 'ndjson', '--new', 'copied'], host)).output;
    const idsOf = (output: string) => [...output.matchAll(/"AuditID":(\d+)/g)].map(([, id]) => Number(id));
    folder.write('copied', `${TEST_NOW} 2\n`);
    expect(idsOf(await copy())).to.deep.equal([3, 4, 5]);
    const times = [1, 8.64e15, TEST_NOW + 3 * DAY];
    await folder.store((store) =>
      store.write(async ({ audit }) => {
        for (const recordedOn of times) await audit.add(auditEntry({ recordedOn }));
      }),
    );
    expect(idsOf(await copy())).to.deep.equal([6, 7, 8]);
    expect(await copy()).to.equal('');
  });

  it('refuses --new together with another selection of rows, or with a file that is not an audit export', async () => {
    const both = await folder.audit('--new', 'copied', '--center', '1');
    expect(both.errors.join()).to.contain('--new: expected no other');
    folder.write('copied', 'something else');
    const { code, errors } = await folder.audit('--new', 'copied');
    expect(code).to.equal(1);
    expect(errors.join()).to.match(/--new .*copied: expected a file that this command wrote/);
    expect(folder.read('copied')).to.equal('something else');
  });

  it('selects by days in the zone, appointment, center, doctor, day, operation, client and correlation id', async () => {
    expect(await ids('--since', '2026-11-21')).to.deep.equal([4, 5]);
    expect(await ids('--until', '2026-11-20')).to.deep.equal([1, 2, 3]);
    expect(await ids('--since', '2026-11-21', '--until', '2026-11-21')).to.deep.equal([4]);
    expect(await ids('--correlation', 'id-9')).to.deep.equal([5]);
    expect(await ids('--correlation', 'id-')).to.deep.equal([]);
    expect(await ids('--appointment', '1')).to.deep.equal([1, 2]);
    expect(await ids('--center', '1', '--since', '2026-11-21')).to.deep.equal([4]);
    expect(await ids('--client', 'kiosk')).to.deep.equal([]);
    expect(await ids('--doctor', '102', '--until', '2026-11-20')).to.deep.equal([1, 2, 3]);
    expect(await ids('--day', '2027-01-19')).to.deep.equal([4]);
    expect(await ids('--operation', 'Fetch_Details')).to.deep.equal([1, 3]);
  });

  it('says who saw a patient, however the appointment was moved before and after, and once it is erased', async () => {
    const look = async (hospital: Hospital) => {
      for (const day of ['2027-01-18', '2027-01-19', '2027-01-20']) await hospital.dayOf(102, day);
    };
    const onDays = () => folder.inHospital(look, TEST_NOW + 3 * DAY);
    const saw = () => ids('--patient', 'appointment:1/1', '--operation', 'OPAppointmentdetail');
    await onDays();
    expect(await ids('--since', '2026-11-23')).to.deep.equal([6]);
    expect(await saw()).to.deep.equal([4, 6]);
    await folder.inHospital(async (hospital) => {
      const move = { AppointmentID: 1, type: 1, appdate: '2027-01-20', apptime: '11:00', centerid: 1 };
      await hospital.ok('Appointment_Status_Updates', move);
    });
    await onDays();
    expect(await saw()).to.deep.equal([4, 6, 8]);
    await folder.patient('erase', 'appointment:1/1', '--also-coming', '--yes');
    expect(await saw()).to.deep.equal([4, 6, 8]);
    // On PostgreSQL, a command's row has the server's time.
    expect(await ids('--patient', 'appointment:1/1')).to.have.members([1, 2, 7, 9, 4, 6, 8]);
  });

  it('says who saw a patient whose appointment was deleted since', async () => {
    await folder.inHospital(async (hospital) => {
      await hospital.dayOf(102, '2027-01-19');
      await hospital.store.write(({ patients }) => patients.eraseAppointment({ centerId: 1, id: 1, now: 0 }));
      await hospital.cancel(1);
      const forget = hospital.store.write(({ appointments }) => appointments.forget(Number.MAX_SAFE_INTEGER, 10));
      expect(await forget).to.deep.equal(['1/1']);
    });
    expect(await ids('--patient', 'appointment:1/1', '--operation', 'OPAppointmentdetail')).to.deep.equal([6, 4]);
  });

  it('writes more than one page into a file that only its owner can read', async () => {
    await folder.store((store) =>
      store.write(async ({ audit }) => {
        for (let n = 0; n < 2100; n++) await audit.add(auditEntry({ recordedOn: TEST_NOW + 3 * DAY }));
      }),
    );
    const path = join(folder.path, 'audit.csv');
    expect(await lines('--out', 'audit.csv')).to.deep.equal([`${path}: 2105 rows`]);
    expect(folder.read('audit.csv').split('\r\n')).to.have.length(2107);
    expectMode(path, 0o600);
    expect(await lines('--out', 'audit.csv', '--appointment', '7')).to.deep.equal([`${path}: 0 rows`]);
    expect(folder.read('audit.csv')).to.equal(`${TITLES}\r\n`);
  });

  it("writes a client's name so that no spreadsheet evaluates it as a formula", async () => {
    await folder.store((store) => store.write(({ audit }) => audit.add(auditEntry({ client: '=1+1' }))));
    expect((await lines('--client', '=1+1'))[1]).to.include(",'=1+1,");
  });

  for (const [args, said] of [
    [['--since', '20/11/2026'], '--since 20/11/2026: expected a day such as 2026-11-20.'],
    [['--day', '2027-02-30'], '--day 2027-02-30: expected a day such as 2026-11-20.'],
    [['--patient', '12'], '12: expected a record such as appointment:1/12, feedback:7 or message:5.'],
    [['--appointment', 'x'], 'Expected a whole number.'],
    [['--format', 'xml'], 'Allowed choices are csv, ndjson'],
  ] as const) {
    it(`says what is wrong with ${args.join(' ')}`, async () => {
      const { code, errors } = await folder.audit(...args);
      expect(code).to.equal(2);
      expect(errors.join('\n')).to.include(said);
    });
  }
});
