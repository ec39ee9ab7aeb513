import { join } from 'node:path';
import { expect } from 'chai';
import { exportCommand } from '../../../src/commands/export-command.ts';
import { createLog } from '../../../src/log/log.ts';
import { Retention } from '../../../src/service/retention.ts';
import { PATIENT_FIELDS } from '../../../src/vocabulary/stored-records.ts';
import {
  ALL_FILES,
  ALL_NAMES,
  commandFolder,
  DOCTORS,
  filledFolder,
  outputOf,
} from '../../support/commands/command-folder.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { DAY, HOUR, type Hospital, MINUTE } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { listed } from '../../support/listed.ts';
import { perTest } from '../../support/prepared.ts';
import { expectMode } from '../../support/process/on-windows.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

describe('The export', () => {
  const folder = perTest(filledFolder);

  const exported = async (...args: readonly string[]) => outputOf(await folder.export('--out', 'out', ...args));
  const back = () => folder.imported(...ALL_NAMES.map((name) => `out/${name}`));

  it('writes files that an import can read', async () => {
    const path = (name: string) => join(folder.path, 'out', `${name}.csv`);
    expect(await exported()).to.deep.equal([
      `${path('centers')}: 2 rows`,
      `${path('doctors')}: 3 rows`,
      `${path('opening-hours')}: 2 rows`,
      `${path('leave')}: 1 row`,
      `${path('templates')}: 1 row`,
      `${path('appointments')}: 0 rows`,
      `${path('feedback')}: 0 rows`,
      'What is added or changed from now on: --since 2026-11-20T02:54:55.000Z',
    ]);
    expect(folder.read('out/opening-hours.csv')).to.equal(
      'centerid,DoctorID,Days,From,To,ValidFrom,ValidTo\r\n1,101,Mon-Sat,09:00,13:00,,\r\n1,101,Mon-Sat,17:00,24:00,,\r\n',
    );
    expect(folder.read('out/leave.csv')).to.equal('centerid,DoctorID,From,To\r\n1,101,2027-01-25,2027-01-26\r\n');
    expect(await back()).to.deep.equal(['Nothing changes.']);
  });

  it('writes what an import brings into an empty database without changes', async () => {
    folder.write('doctors.csv', DOCTORS.replace('1,102,Dr. Vikram Shetty,\n', ''));
    folder.write(
      'leave.csv',
      'centerid,DoctorID,From,To\n1,101,2027-01-25 09:15,2027-01-25 24:00\n1,101,2027-02-01,2027-02-01 12:00\n2,201,2027-03-01,2027-03-01\n',
    );
    folder.write(
      'templates.csv',
      'tempid,DltTemplateId,Text,Active\n5,0007,"=1+1 ""x"";\ny",no\n6,,\'=z,yes\n7,,\'\'-z,yes\n',
    );
    folder.write('centers.csv', "centerid,CenterName,TimeZone\n1,@Home,America/New_York\n2,'s-Hof,\n");
    await folder.imported(...ALL_NAMES);
    await exported();
    expect(await back()).to.deep.equal(['Nothing changes.']);
    const other = commandFolder();
    try {
      for (const name of ALL_NAMES) other.write(name, folder.read(`out/${name}`));
      await other.imported(...ALL_NAMES);
      await other.export('--out', 'out');
      for (const name of ALL_NAMES) expect(other.read(`out/${name}`), name).to.equal(folder.read(`out/${name}`));
    } finally {
      other.dispose();
    }
  });

  it('writes a byte order mark for Excel', async () => {
    await exported('--bom');
    for (const name of ALL_NAMES) expect(folder.read(`out/${name}`)).to.match(/^\ufeff[a-z]/);
    expect(await back()).to.deep.equal(['Nothing changes.']);
  });

  it('writes appointments and feedback, and nothing that a spreadsheet would evaluate', async () => {
    await folder.inHospital(async (hospital) => {
      await hospital.book({ Name: '=HYPERLINK("http://example.org")', area: '@home, left' });
      await hospital.book({ app_time: '11:00', RegistrationNumber: '-7', Name: 'Ravi' });
      await hospital.ok('FB_Push_Details', {
        ipno: '+1',
        roomno: '12',
        moblieno: '9845012345',
        dept: '',
        needsimprovementcommit: 'Warm tea,\nplease "soon"',
      });
    });
    expect((await exported('appointments', 'feedback')).slice(0, 2).map((line) => line.split(': ')[1])).to.deep.equal([
      '2 rows',
      '1 row',
    ]);
    const [titles, first, second] = folder.read('out/appointments.csv').split('\r\n');
    const patient = [...new Set(Object.values(PATIENT_FIELDS).map(({ csv }) => csv))];
    expect(titles).to.equal(
      `centerid,AppointmentID,DoctorID,appdate,apptime,EndTime,Minutes,${patient.join()},Status,TokenNo,RescheduleCount,Overlap,CreatedOn,UpdatedOn`,
    );
    const known = ['RegistrationNumber', 'title', 'Name', 'Sex', 'Age', 'area', 'contactnumber', 'email'];
    expect(patient.slice(0, known.length)).to.deep.equal(known);
    expect(first).to.match(
      /^1,1,102,2027-01-18,10:15,10:30,,R-1,Mrs\.,"'=HYPERLINK\(""http:\/\/example\.org""\)",F,34,"'@home, left",'\+919845012345,asha@example\.org,+Booked,1,0,,2026-/,
    );
    expect(second).to.include(",11:00,11:15,,'-7,Mrs.,Ravi,");
    expect(folder.read('out/feedback.csv').split('\r\n')[1]).to.include(
      `1,'+1,12,9845012345,,"Warm tea,\nplease ""soon""",2026-`,
    );
    expectMode(join(folder.path, 'out', 'appointments.csv'), 0o600);
  });

  it('writes what callers send, as it is, with --plain', async () => {
    await folder.inHospital(async (hospital) => {
      await hospital.book({ Name: '=Asha', area: '@home', contactnumber: '98450 12310' });
      await hospital.book({ app_time: '11:00', RegistrationNumber: '-7', Name: 'Jo', contactnumber: '+442079460000' });
      await hospital.ok('FB_Push_Details', { ipno: '+1', roomno: '12' });
    });
    await exported('--plain', 'appointments', 'feedback');
    const [, first, second] = folder.read('out/appointments.csv').split('\r\n');
    expect(first).to.include(',=Asha,').and.include(',@home,9845012310,');
    expect(second).to.include(',-7,').and.include(',+442079460000,');
    expect(folder.read('out/feedback.csv')).to.include('\r\n1,+1,12,');
  });

  it('writes the appointments of some days, of a doctor or of a center', async () => {
    await folder.inHospital(async (hospital) => {
      await hospital.book();
      await hospital.book({ app_date: '2027-01-19', RegistrationNumber: 'R-2', Name: 'Ravi' });
      await hospital.book({ app_date: '2027-01-20', RegistrationNumber: 'R-3', Name: 'Jo' });
    });
    const idsWith = async (...filter: readonly string[]) => {
      const lines = await exported(...filter);
      expect(lines.filter((line) => line.includes('.csv'))).to.have.length(1);
      const rows = folder.read('out/appointments.csv').trim().split('\r\n').slice(1);
      return rows.map((row) => row.split(',')[1]).join();
    };
    expect(await idsWith('--from', '2027-01-19')).to.equal('2,3');
    expect(await idsWith('--to', '2027-01-19')).to.equal('1,2');
    expect(await idsWith('--from', '2027-01-19', '--to', '2027-01-19', 'appointments')).to.equal('2');
    expect(await idsWith('--doctor', '102')).to.equal('1,2,3');
    expect(await idsWith('--doctor', '101')).to.equal('');
    expect(await idsWith('--center', '2')).to.equal('');
  });

  describe('with --since', () => {
    /** 05:30 in Asia/Kolkata, 19:00 of the previous day in New York. */
    const FIRST = TEST_NOW - 3 * HOUR;
    const at = (instant: number): string => new Date(instant).toISOString();
    const sizes = (lines: readonly string[]) => lines.flatMap((line) => line.match(/\d+ rows?$/) ?? []);
    const since = async (text: string) =>
      sizes(await exported('--since', text, 'appointments', 'feedback')).slice(0, 2);
    const serving = (work: (hospital: Hospital) => Promise<void>) => folder.inHospital(work, FIRST);

    it('names what was deleted at the end of its retention, and writes feedback that was erased', async () => {
      await serving(async (hospital) => {
        await hospital.book();
        await hospital.ok('FB_Push_Details', { ipno: 'IP-1', roomno: '12' });
        await hospital.ok('FB_Push_Details', { ipno: 'IP-2', roomno: '13' });
      });
      await folder.store(async (store) => {
        const kept = { messages: undefined, appointments: 1, feedback: undefined, auditEvents: undefined };
        const retention = new Retention({
          store,
          log: createLog('silent'),
          clock: () => TEST_NOW + 365 * DAY,
          newId: () => 'retention-1',
          keptDays: kept,
        });
        expect(await retention.clean({ isSure: true })).to.include({ appointments: 1 });
        await store.write(({ patients }) => patients.eraseFeedback({ id: 2, now: TEST_NOW }));
      });
      expect(await since(at(TEST_NOW))).to.deep.equal(['0 rows', '1 row']);
      expect(folder.read('out/feedback.csv').split('\r\n')[1]).to.match(/^2,Erased,/);
      expect(folder.read('out/deleted.csv')).to.match(/^Record,DeletedOn\r\nappointment:1\/1,2027-/);
    });

    it('writes only what was added or changed at that time or later, in every time zone', async () => {
      folder.write('centers.csv', 'centerid,CenterName,TimeZone\n3,Queens,America/New_York\n');
      folder.write('doctors.csv', 'centerid,DoctorID,DoctorName\n3,301,Dr. Lee\n');
      await folder.imported('centers.csv', 'doctors.csv');
      await serving(async (hospital) => {
        await hospital.book();
        await hospital.book({ app_time: '11:00', ...patient(7), Name: 'Ravi' });
        await hospital.book({ centerid: 3, DoctorID: 301, ...patient(3), Name: 'Jo' });
        await hospital.ok('FB_Push_Details', { ipno: '1', roomno: '12' });
        hospital.clock.now += HOUR;
        await hospital.book({ centerid: 3, DoctorID: 301, app_time: '12:00', ...patient(8), Name: 'Uma' });
        await hospital.ok('FB_Push_Details', { ipno: '2', roomno: '12' });
        hospital.clock.now += HOUR;
        await hospital.cancel(1);
      });
      expect(await since(at(FIRST))).to.deep.equal(['4 rows', '2 rows']);
      const second = FIRST + HOUR;
      for (const text of [
        at(second),
        '2026-11-20T06:30:00+05:30',
        '2026-11-20T06:30:00.0000000+05:30',
        '2026-11-19T20:00:00-05:00',
        '2026-11-20t01:00:00z',
      ]) {
        expect(await since(text), text).to.deep.equal(['2 rows', '1 row']);
        expect(folder.read('out/appointments.csv')).to.include('Cancelled').and.include('Uma').and.not.include('Jo');
      }
      expect(await since(at(second + HOUR))).to.deep.equal(['1 row', '0 rows']);
      expect(sizes(await exported('--since', at(second), 'centers'))).to.deep.equal(['3 rows']);
    });

    it('leaves out what was imported just before', async () => {
      // On the day of the move, the service starts minutes after the import, and only bookings made since then must go back.
      const header = 'centerid,AppointmentID,DoctorID,date,time,Name,contactnumber';
      folder.write('appointments.csv', `${header}\n1,7,101,2027-01-18,09:00,Asha,9845012345\n`);
      await folder.imported('appointments.csv');
      expect(await since(at(TEST_NOW))).to.deep.equal(['1 row', '0 rows']);
      await folder.inHospital((hospital) => hospital.book(), TEST_NOW + 1);
      const later = {
        environment: { DATABASE_URL: await folder.databaseUrl() },
        folder: folder.path,
        clock: () => TEST_NOW + 1,
      };
      const { output } = await runHere(exportCommand, ['--since', at(TEST_NOW + 1), 'appointments'], later);
      expect(sizes(output.split('\n'))).to.deep.equal(['1 row', '0 rows']);
    });

    it('reports the time at which the next export continues, early enough to include calls that were still running', async () => {
      const lines = await exported('appointments');
      const next = lines.at(-1)?.replace('What is added or changed from now on: --since ', '') ?? '';
      // Earlier by the time that a statement may take, too.
      expect(next).to.equal(at(TEST_NOW - 5 * MINUTE - 5000));
      // It began before that export and ended after it.
      await serving(async (hospital) => {
        hospital.clock.now = TEST_NOW - 5 * MINUTE - 5000;
        await hospital.book();
      });
      expect(await since(next)).to.deep.equal(['1 row', '0 rows']);
      expect(await exported('doctors')).to.have.length(1);
    });

    for (const text of listed(`
      yesterday | 2026-11-20 | 2026-11-20T06:30 | 2026-11-20T06:30:00 | 06:30:00Z | 2026-13-01T06:30:00Z
      2026-02-29T06:30:00Z | 2026-11-20T25:00:00Z | 2026-11-20T06:99:00Z | 2026-11-20T06:30:60Z
      2026-11-20T06:30:00+25:00 | 2026-11-20T06:30:00+05:30x
    `)) {
      it(`refuses ${text}`, async () => {
        const { code, errors } = await folder.export('--since', text);
        expect(code).to.equal(2);
        expect(errors.join()).to.include(
          `'${text}' is invalid. Expected a day and a time that exist, with Z or an offset`,
        );
      });
    }

    it('refuses a time in the future, such as one with a wrong offset', async () => {
      const { code, errors } = await folder.export('--since', '2026-11-20T08:30:00Z');
      expect(code).to.equal(2);
      expect(errors.join()).to.include('Expected a time in the past; it is now 2026-11-20T03:00:00.000Z.');
    });
  });

  it('names columns as the contract does', async () => {
    await exported();
    const known = new Set(
      ownContract.operations.flatMap(({ parameters, resultType }) => [
        ...parameters.map(({ name }) => name),
        ...[...JSON.stringify(resultType).matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name),
      ]),
    );
    const files = [...ALL_NAMES, 'appointments.csv', 'feedback.csv'];
    const titles = files.flatMap((name) => (folder.read(`out/${name}`).split('\r\n')[0] ?? '').split(','));
    const unknownToCallers = listed(`
      CenterName | TimeZone | PhoneRegion | Capacity | Active | Days | From | To | ValidFrom | ValidTo | DltTemplateId
      PrincipalEntityId | Header | Category | Text | EndTime | Minutes | Overlap | CreatedOn | Client
    `);
    expect(titles.filter((title) => !known.has(title) && !unknownToCallers.includes(title))).to.deep.equal([]);
  });

  it('replaces an earlier export, and writes only the tables that are named', async () => {
    await exported();
    await exported('doctors');
    expect(folder.read('out/doctors.csv')).to.match(/^centerid,/);
    expect(Object.keys(ALL_FILES)).to.have.length(5);
  });

  it('names the arguments that it does not know', async () => {
    const { code, errors } = await folder.export('patients');
    expect(code).to.equal(2);
    expect(errors[0]).to.include(
      'Allowed choices are centers, doctors, opening-hours, leave, templates, appointments, feedback',
    );
  });
});
