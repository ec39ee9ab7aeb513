import { join } from 'node:path';
import { expect } from 'chai';
import { ownContract } from '../contract/own-wsdl.ts';
import {
  ALL_FILES,
  ALL_NAMES,
  type CommandFolder,
  commandFolder,
  DOCTORS,
  writeAll,
} from '../support/commands/command-folder.ts';
import { HOUR, openHospital } from '../support/database/hospital.ts';
import { expectMode } from '../support/process/on-windows.ts';

describe('The export', () => {
  let folder: CommandFolder;
  beforeEach(async () => {
    folder = commandFolder();
    writeAll(folder);
    await folder.imported(...ALL_NAMES);
  });
  afterEach(() => folder.dispose());

  const exported = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { code, output, errors } = await folder.export('--out', 'out', ...args);
    expect(errors).to.deep.equal([]);
    expect(code).to.equal(0);
    return output;
  };
  const back = () => folder.imported(...ALL_NAMES.map((name) => `out/${name}`));

  it('writes the files that an import reads', async () => {
    const path = (name: string) => join(folder.path, 'out', `${name}.csv`);
    expect(await exported()).to.deep.equal([
      `${path('centers')}: 2 rows`,
      `${path('doctors')}: 3 rows`,
      `${path('opening-hours')}: 2 rows`,
      `${path('leave')}: 1 row`,
      `${path('templates')}: 1 row`,
      `${path('appointments')}: 0 rows`,
      `${path('feedback')}: 0 rows`,
    ]);
    expect(folder.read('out/opening-hours.csv')).to.equal(
      'centerid,DoctorID,Days,From,To,ValidFrom,ValidTo\r\n1,101,Mon-Sat,09:00,13:00,,\r\n1,101,Mon-Sat,17:00,24:00,,\r\n',
    );
    expect(folder.read('out/leave.csv')).to.equal('centerid,DoctorID,From,To\r\n1,101,2027-01-25,2027-01-26\r\n');
    expect(await back()).to.deep.equal(['Nothing changes.']);
  });

  it('writes what an import brings into an empty database as it was', async () => {
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

  for (const delimiter of ['comma', 'semicolon', 'tab']) {
    it(`writes for Excel, with a byte order mark, between cells a ${delimiter}`, async () => {
      await exported('--bom', '--delimiter', delimiter);
      for (const name of ALL_NAMES) expect(folder.read(`out/${name}`)).to.match(/^\ufeff[a-z]/);
      expect(await back()).to.deep.equal(['Nothing changes.']);
    });
  }

  it('writes appointments and feedback, and nothing that a spreadsheet would calculate', async () => {
    await folder.store(async (store) => {
      const hospital = await openHospital({}, store);
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
    expect((await exported('appointments', 'feedback')).map((line) => line.split(': ')[1])).to.deep.equal([
      '2 rows',
      '1 row',
    ]);
    const [titles, first, second] = folder.read('out/appointments.csv').split('\r\n');
    expect(titles).to.equal(
      'centerid,AppointmentID,DoctorID,appdate,apptime,EndTime,RegistrationNumber,title,Name,Sex,Age,area,contactnumber,email,Status,TokenNo,RescheduleCount,Overlap,CreatedOn,UpdatedOn',
    );
    expect(first).to.match(
      /^1,1,102,2027-01-18,10:15,10:30,R-1,Mrs\.,"'=HYPERLINK\(""http:\/\/example\.org""\)",F,34,"'@home, left",'\+919845012345,asha@example\.org,Booked,1,0,,2026-/,
    );
    expect(second).to.include(",11:00,11:15,'-7,Mrs.,Ravi,");
    expect(folder.read('out/feedback.csv').split('\r\n')[1]).to.include(
      `1,'+1,12,9845012345,,"Warm tea,\nplease ""soon""",2026-`,
    );
    expectMode(join(folder.path, 'out', 'appointments.csv'), 0o600);
  });

  it('writes only what came or was changed since a time on the clock of its center, where it is told one', async () => {
    await folder.store(async (store) => {
      const hospital = await openHospital({}, store);
      // 08:30, 09:30 and 10:30 in Asia/Kolkata.
      await hospital.book();
      await hospital.book({ app_time: '11:00', RegistrationNumber: 'R-7', Name: 'Ravi' });
      await hospital.ok('FB_Push_Details', { ipno: '1', roomno: '12' });
      hospital.clock.now += HOUR;
      await hospital.book({ app_time: '12:00', RegistrationNumber: 'R-8', Name: 'Uma' });
      await hospital.ok('FB_Push_Details', { ipno: '2', roomno: '12' });
      hospital.clock.now += HOUR;
      await hospital.ok('Appointment_Status_Updates', {
        AppointmentID: 1,
        type: 6,
        appdate: '',
        apptime: '',
        centerid: 1,
      });
    });
    const rows = async (since: string) => {
      const lines = await exported('--since', since, 'appointments', 'feedback', 'centers');
      return lines.map((line) => line.split(': ')[1]);
    };
    expect(await rows('2026-11-20')).to.deep.equal(['2 rows', '3 rows', '2 rows']);
    expect(await rows('2026-11-20T08:31')).to.deep.equal(['2 rows', '2 rows', '1 row']);
    expect(await rows('2026-11-20T09:30:00')).to.deep.equal(['2 rows', '2 rows', '1 row']);
    expect(await rows('2026-11-20T09:30:01')).to.deep.equal(['2 rows', '1 row', '0 rows']);
    expect(await rows('2026-11-20T09:31')).to.deep.equal(['2 rows', '1 row', '0 rows']);
    expect(folder.read('out/appointments.csv')).to.include('Cancelled').and.not.include('Uma');
    expect((await folder.export('--since', 'yesterday')).errors[0]).to.include('2026-11-22T20:00');
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
    expect([...new Set(titles)].filter((title) => !known.has(title))).to.deep.equal([
      'CenterName',
      'TimeZone',
      'Capacity',
      'Active',
      'Days',
      'From',
      'To',
      'ValidFrom',
      'ValidTo',
      'DltTemplateId',
      'PrincipalEntityId',
      'Header',
      'Category',
      'Text',
      'EndTime',
      'Overlap',
      'CreatedOn',
      'Client',
    ]);
  });

  it('replaces an earlier one, and writes only what is named', async () => {
    await exported();
    folder.write('out/doctors.csv.part', 'left behind');
    await exported('doctors');
    expect(folder.read('out/doctors.csv')).to.match(/^centerid,/);
    expect(Object.keys(ALL_FILES)).to.have.length(5);
  });

  it('says what it does not know', async () => {
    const { code, errors } = await folder.export('patients');
    expect(code).to.equal(1);
    expect(errors[0]).to.include(
      'Allowed choices are centers, doctors, opening-hours, leave, templates, appointments, feedback',
    );
  });
});
