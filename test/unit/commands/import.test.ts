import { expect } from 'chai';
import { loadDemoData } from '../../../src/reference/demo-data.ts';
import {
  ALL_NAMES,
  CENTERS,
  commandFolder,
  DOCTORS,
  HOURS,
  LEAVE,
  writeAll,
} from '../../support/commands/command-folder.ts';
import { BOOKING } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

/** Monday, 25 January 2027, 00:00, in minutes since 1970. */
const LEAVE_FROM = Date.UTC(2027, 0, 25) / 60_000;
const A_DAY = 1440;

describe('The import', () => {
  const folder = perTest(() => commandFolder({ isNew: true }));
  beforeEach(() => writeAll(folder));

  const state = () =>
    folder.store((store) =>
      store.read(async ({ referenceTables: tables }) => ({
        centers: await tables.rows('center'),
        doctors: await tables.rows('doctor'),
        openingHours: await tables.rows('opening_hours'),
        leaves: await tables.rows('doctor_leave'),
        templates: await tables.rows('message_template'),
      })),
    );
  const version = () => folder.store(async (store) => (await store.reference()).version);
  const importing = (file: string, content: string, ...flags: readonly string[]) => {
    folder.write(file, content);
    return folder.imported(file, ...flags);
  };
  const activeDoctors = async () => (await state()).doctors.filter(({ active }) => active === 1).map(({ id }) => id);

  it('reads every kind of file, in any order', async () => {
    expect(await folder.imported(...ALL_NAMES.toReversed())).to.deep.equal([
      'centers: 2 added, 0 changed, 0 removed',
      'doctors: 3 added, 0 changed, 0 removed',
      'opening-hours: 2 added, 0 changed, 0 removed',
      'leave: 1 added, 0 changed, 0 removed',
      'templates: 1 added, 0 changed, 0 removed',
    ]);
    const { centers, doctors, openingHours, leaves, templates } = await state();
    expect(centers[1]).to.deep.equal({ id: 2, name: 'Mysuru', timeZone: 'Asia/Kolkata', phoneRegion: null });
    const unknown = { department: null, specialization: null, qualification: null };
    const usual = { slotMinutes: 15, capacity: 1, active: 1 };
    expect(doctors[1]).to.deep.equal({ centerId: 1, id: 102, name: 'Dr. Vikram Shetty', ...unknown, ...usual });
    expect(openingHours).to.have.length(12);
    expect(openingHours[1]).to.include({ weekday: 1, from: 17 * 60, to: A_DAY, validFrom: null });
    expect(leaves[0]).to.include({ doctorId: 101, from: LEAVE_FROM, to: LEAVE_FROM + 2 * A_DAY });
    const text = 'Dear {#var#},\nwelcome.';
    expect(templates[0]).to.include({ tempid: 1, dltTemplateId: '1107160000000000001', text });
  });

  it('changes nothing the second time', async () => {
    await folder.imported(...ALL_NAMES);
    const before = await version();
    expect(await folder.imported(...ALL_NAMES)).to.deep.equal(['Nothing changes.']);
    expect(await version()).to.equal(before);
  });

  it('reports with --dry-run what would change, row by row, and writes nothing', async () => {
    await folder.imported(...ALL_NAMES);
    folder.write(
      'doctors.csv',
      DOCTORS.replace('Cardiology', 'Neurology').replace('2,201,Dr. Anita Urs,\n', '1,103,Dr. New,\n'),
    );
    folder.write('opening-hours.csv', HOURS.replace('09:00', '09:30'));
    const before = await state();
    expect(await folder.imported('doctors.csv', 'opening-hours.csv', '--dry-run')).to.deep.equal([
      '~ doctors: centerid "1", DoctorID "101", Department "Cardiology" → "Neurology"',
      '+ doctors: centerid "1", DoctorID "103", DoctorName "Dr. New", SlotMinutes "15", Capacity "1", Active "yes"',
      '- opening-hours: centerid "1", DoctorID "101", Days "Mon-Sat", From "09:00", To "13:00"',
      '+ opening-hours: centerid "1", DoctorID "101", Days "Mon-Sat", From "09:30", To "13:00"',
      'doctors: 1 added, 1 changed, 0 removed',
      'opening-hours: 1 added, 0 changed, 1 removed',
      'Dry run: nothing was written.',
    ]);
    expect(await state()).to.deep.equal(before);
  });

  it('leaves doctors active who are missing from a file, and reports their number', async () => {
    await folder.imported(...ALL_NAMES);
    folder.write('doctors.csv', 'centerid,DoctorID,DoctorName\n1,102,Dr. Vikram Shetty\n');
    const told = [
      'Nothing changes.',
      'The files leave out 1 active doctor of the centers that they name; --deactivate would make them inactive.',
    ];
    expect(await folder.imported('doctors.csv')).to.deep.equal(told);
    expect(await folder.imported('doctors.csv', '--dry-run')).to.include.members(told);
    expect(await activeDoctors()).to.deep.equal([101, 102, 201]);
  });

  it('deactivates with --deactivate the doctors of a center who are missing from a file, and leaves other centers alone', async () => {
    await folder.imported(...ALL_NAMES);
    folder.write('doctors.csv', 'centerid,DoctorID,DoctorName\n1,102,Dr. Vikram Shetty\n');
    expect(await folder.imported('doctors.csv', '--deactivate')).to.deep.equal([
      'doctors: 0 added, 1 changed, 0 removed',
      '1 doctor becomes inactive.',
    ]);
    expect(await activeDoctors()).to.deep.equal([102, 201]);
    await importing('doctors.csv', DOCTORS);
    expect(await activeDoctors()).to.deep.equal([101, 102, 201]);
  });

  it('unites leave that overlaps or repeats, and keeps leave of the whole center beside that of its doctors', async () => {
    const header = 'centerid,DoctorID,From,To\n';
    const rows = [
      '1,102,2027-01-22,2027-01-22',
      '1,101,2027-01-26,2027-01-26',
      '1,101,2027-01-25 09:00,2027-01-27',
      '1,101,2027-01-25 09:00,2027-01-27',
      '1,101,2027-01-28,2027-01-28',
      '1,,2027-01-18,2027-01-18',
      '1,,2027-01-26,2027-01-26',
    ];
    await folder.imported(...ALL_NAMES);
    await folder.inHospital(async (hospital) => {
      await hospital.book({ DoctorID: 102, app_date: '2027-01-18' });
    });
    const lines = await importing('leave.csv', `${header}${rows.join('\n')}\n`);
    expect(lines).to.deep.equal([
      'leave: 5 added, 0 changed, 1 removed',
      'Doctor 102 of center 1, Dr. Vikram Shetty, on Monday 18 January 2027: 1 appointment does not fit the hours, leave, slots and capacity: 1.',
    ]);
    expect(await folder.imported('leave.csv')).to.deep.equal(['Nothing changes.']);
    await folder.export('--out', 'out', 'leave');
    expect(folder.read('out/leave.csv').split('\r\n')).to.deep.equal([
      header.trim(),
      '1,,2027-01-18,2027-01-18',
      '1,102,2027-01-22,2027-01-22',
      '1,101,2027-01-25 09:00,2027-01-27',
      '1,,2027-01-26,2027-01-26',
      '1,101,2027-01-28,2027-01-28',
      '',
    ]);
    expect(await folder.imported('out/leave.csv')).to.deep.equal(['Nothing changes.']);
    // A doctor who is added later has the center's leave, and a file with other leave of doctors keeps it.
    await importing('doctors.csv', 'centerid,DoctorID,DoctorName\n1,109,Dr. New\n');
    await importing('leave.csv', `${header}1,101,,\n`);
    await folder.inHospital(async (hospital) => {
      await hospital.refused('Fetch_Details', { ...BOOKING, DoctorID: 109, app_date: '2027-01-26' }, 13);
      await hospital.book({ DoctorID: 109, app_date: '2027-01-27', app_time: '10:00', ...patient(3) });
    });
    expect(await importing('leave.csv', `${header}1,,,\n`)).to.deep.equal(['leave: 0 added, 0 changed, 2 removed']);
  });

  for (const [file, content, ids] of [
    ['leave.csv', 'centerid,DoctorID,From,To\n1,101,2027-01-18 09:10,2027-01-18\n', '1, 2, 3'],
    ['opening-hours.csv', 'centerid,DoctorID,Days,From,To\n1,101,Mon-Sat,09:00,09:15\n', '2, 3'],
    ['doctors.csv', 'centerid,DoctorID,DoctorName,SlotMinutes\n1,101,Dr. Asha Rao,20\n', '2, 3'],
    ['doctors.csv', 'centerid,DoctorID,DoctorName,SlotMinutes\n1,101,Dr. Asha Rao,5\n', '1, 2, 3'],
  ] as const) {
    it(`lists the standing appointments that do not fit ${content.split('\n')[1]}`, async () => {
      await folder.imported(...ALL_NAMES);
      await folder.inHospital(async (hospital) => {
        for (const [n, app_time] of ['09:00', '09:15', '10:15', '12:30'].entries()) {
          await hospital.book({ DoctorID: 101, app_time, ...patient(n) });
        }
        await hospital.book({ app_time: '16:00' });
        await hospital.cancel(4);
      });
      folder.write(file, content);
      const dry = await folder.imported(file, '--dry-run');
      const found = (await folder.imported(file)).filter((line) => line.includes('not fit'));
      expect(found).to.deep.equal([
        `Doctor 101 of center 1, Dr. Asha Rao, on Monday 18 January 2027: ${ids.split(' ').length} appointments do not fit the hours, leave, slots and capacity: ${ids}.`,
      ]);
      expect(dry).to.include(found[0]);
      expect((await folder.imported(file))[0]).to.equal('Nothing changes.');
    });
  }

  it('lists, of the standing appointments at one time, those for which a lower capacity has no place, except marked ones', async () => {
    const withCapacity = (capacity: number) =>
      importing('doctors.csv', `centerid,DoctorID,DoctorName,Capacity\n1,102,Dr. Vikram Shetty,${capacity}\n`);
    await folder.imported(...ALL_NAMES);
    await withCapacity(3);
    await folder.inHospital(async (hospital) => {
      // 16:00, three times; one ends where the last begins.
      for (const [n, app_time] of ['16:00', '16:00', '15:50', '16:00', '16:05'].entries()) {
        await hospital.book({ app_time, ...patient(10 + n) });
        if (n === 1) await hospital.cancel(1);
      }
    });
    const columns = 'centerid,AppointmentID,DoctorID,appdate,apptime,Name,contactnumber';
    folder.write('appointments.csv', `${columns}\n1,9,102,2027-01-18,16:00,Uma,\n`);
    await folder.imported('appointments.csv', '--allow-overlaps');
    const unfit = (lines: readonly string[]) => lines.filter((line) => line.includes('not fit'));
    expect(unfit(await withCapacity(2))).to.deep.equal([
      'Doctor 102 of center 1, Dr. Vikram Shetty, on Monday 18 January 2027: 1 appointment does not fit the hours, leave, slots and capacity: 4.',
    ]);
    expect(unfit(await withCapacity(3))).to.deep.equal([]);
  });

  it('lists the standing appointments with doctors who become inactive', async () => {
    await folder.imported(...ALL_NAMES);
    await folder.inHospital(async (hospital) => {
      await hospital.book();
      const { AppointmentID } = await hospital.book({ app_time: '12:00' });
      await hospital.book({ app_time: '13:00', ...patient(2) });
      await hospital.cancel(Number(AppointmentID));
    });
    folder.write('doctors.csv', DOCTORS.replace('1,102,Dr. Vikram Shetty,\n', ''));
    const warning =
      'Doctor 102 of center 1, Dr. Vikram Shetty, who is inactive, on Monday 18 January 2027: 2 appointments do not fit the hours, leave, slots and capacity: 1, 3.';
    expect(await folder.imported('doctors.csv', '--deactivate', '--dry-run')).to.include(warning);
    expect(await folder.imported('doctors.csv', '--deactivate')).to.include(warning);
    expect((await state()).doctors.map(({ id, active }) => [id, active])).to.deep.include([102, 0]);
  });

  it('replaces the opening hours and leave of doctors named in a file, and of no others', async () => {
    folder.write('opening-hours.csv', `${HOURS}1,102,Tue,10:00,11:00\n`);
    folder.write('leave.csv', `${LEAVE}1,102,2027-02-01 10:00,2027-02-01 12:30\n`);
    await folder.imported(...ALL_NAMES);
    folder.write('opening-hours.csv', 'centerid,DoctorID,Days,From,To\n1,101,7,08:00,09:00\n');
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n1,101,,\n');
    await folder.imported('opening-hours.csv', 'leave.csv');
    const { openingHours, leaves } = await state();
    expect(openingHours.map(({ doctorId, weekday, from }) => [doctorId, weekday, from])).to.deep.equal([
      [101, 7, 480],
      [102, 2, 600],
    ]);
    expect(leaves.map(({ doctorId, from, to }) => [doctorId, to - from])).to.deep.equal([[102, 150]]);
  });

  it('keeps the blanks at the ends of a template, also in an export', async () => {
    await importing('templates.csv', 'tempid,Text\n7, Dear {#var#} \n8,"Token {#var#}\n"\n');
    expect((await state()).templates.map(({ text }) => text)).to.deep.equal([' Dear {#var#} ', 'Token {#var#}\n']);
    await folder.export('--out', '.', 'templates');
    expect(await folder.imported('templates.csv')).to.deep.equal(['Nothing changes.']);
  });

  it('keeps stored values if a file has no such column, but not if the cell is empty', async () => {
    await folder.imported(...ALL_NAMES);
    folder.write('centers.csv', 'centerid,CenterName,TimeZone\n1,Bengaluru,America/New_York\n2,Mysuru,Asia/Dubai\n');
    folder.write(
      'doctors.csv',
      'centerid,DoctorID,DoctorName,Department,SlotMinutes,Capacity\n1,101,Dr. Asha Rao,Cardiology,20,3\n1,102,Dr. Vikram Shetty,ENT,30,2\n',
    );
    folder.write('templates.csv', 'tempid,Header,Text,Active\n1,HOSPTL,Welcome,no\n');
    await folder.imported('centers.csv', 'doctors.csv', 'templates.csv');
    const before = await state();

    folder.write('centers.csv', 'centerid,CenterName\n1,Bengaluru North\n2,Mysuru\n3,Hubballi\n');
    folder.write('doctors.csv', 'centerid,DoctorID,DoctorName\n1,101,Dr. A. Rao\n1,102,Dr. Vikram Shetty\n');
    folder.write('templates.csv', 'tempid,Text\n1,Welcome\n');
    expect(await folder.imported('centers.csv', 'doctors.csv', 'templates.csv', '--dry-run')).to.deep.equal([
      '~ centers: centerid "1", CenterName "Bengaluru" → "Bengaluru North"',
      '+ centers: centerid "3", CenterName "Hubballi", TimeZone "Asia/Kolkata"',
      '~ doctors: centerid "1", DoctorID "101", DoctorName "Dr. Asha Rao" → "Dr. A. Rao"',
      'centers: 1 added, 1 changed, 0 removed',
      'doctors: 0 added, 1 changed, 0 removed',
      'Dry run: nothing was written.',
    ]);
    await folder.imported('centers.csv', 'doctors.csv', 'templates.csv');
    const after = await state();
    const zones = after.centers.map(({ timeZone }) => timeZone);
    expect(zones).to.deep.equal(['America/New_York', 'Asia/Dubai', 'Asia/Kolkata']);
    expect(after.doctors[0]).to.deep.equal({ ...before.doctors[0], name: 'Dr. A. Rao' });
    expect(after.templates).to.deep.equal(before.templates);

    folder.write('centers.csv', 'centerid,CenterName,TimeZone\n1,Bengaluru,\n');
    folder.write(
      'doctors.csv',
      'centerid,DoctorID,DoctorName,SlotMinutes\n1,101,Dr. A. Rao,\n1,102,Dr. Vikram Shetty,45\n',
    );
    await folder.imported('centers.csv', 'doctors.csv');
    const { centers, doctors } = await state();
    expect(centers[0]?.timeZone).to.equal('Asia/Kolkata');
    expect(doctors[0]).to.include({ slotMinutes: 15, capacity: 3, department: 'Cardiology' });
    expect(doctors[1]).to.include({ slotMinutes: 45, capacity: 2, department: 'ENT' });
  });

  it('lets a center change its time zone until it has appointments', async () => {
    await folder.imported(...ALL_NAMES);
    await importing('centers.csv', 'centerid,CenterName,TimeZone\n1,Bengaluru,Asia/Dubai\n');
    await importing('centers.csv', 'centerid,CenterName,TimeZone\n1,Bengaluru,Asia/Kolkata\n');
    await folder.inHospital((hospital) => hospital.book());
    folder.write('centers.csv', 'centerid,CenterName,TimeZone\n2,Mysuru,Asia/Dubai\n1,Bengaluru,Asia/Dubai\n');
    for (const flags of [[], ['--dry-run']]) {
      expect(await folder.refused('centers.csv', ...flags)).to.deep.equal([
        'centers.csv, line 3, column TimeZone: "Asia/Dubai" would move the appointments (1) of center 1; expected its zone to remain Asia/Kolkata.',
        'Nothing was imported.',
      ]);
    }
    await importing('centers.csv', 'centerid,CenterName\n2,Mysuru\n1,Bengaluru South\n');
    expect((await state()).centers[0]).to.include({ name: 'Bengaluru South', timeZone: 'Asia/Kolkata' });
    // Another name of the same zone.
    await importing('centers.csv', 'centerid,CenterName,TimeZone\n1,Bengaluru,Asia/Calcutta\n');
    expect((await state()).centers[0]?.timeZone).to.equal('Asia/Calcutta');
  });

  it('accepts hours that change from a given day', async () => {
    folder.write(
      'opening-hours.csv',
      'centerid,DoctorID,Days,From,To,ValidFrom,ValidTo\n1,101,Mon,09:00,13:00,,31-Dec-2026\n1,101,Mon,09:30,13:00,2027-01-01,\n',
    );
    await folder.imported(...ALL_NAMES);
    expect((await state()).openingHours.map(({ validFrom, validTo }) => [validFrom, validTo])).to.deep.equal([
      [null, '2026-12-31'],
      ['2027-01-01', null],
    ]);
  });

  it('imports all files or none', async () => {
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n1,999,2027-01-25,2027-01-26\n');
    await folder.refused(...ALL_NAMES);
    expect((await state()).centers).to.deep.equal([]);
  });

  describe('into a database with demo data', () => {
    beforeEach(() => folder.store((store) => loadDemoData(store, 'Asia/Kolkata')));

    it('is refused', async () => {
      expect(await folder.refused(...ALL_NAMES)).to.deep.equal([
        'The database: it contains demo data; expected --replace-demo, which removes it, or another database in DATABASE_URL.',
        'Nothing was imported.',
      ]);
      expect((await state()).doctors).to.have.length(15);
    });

    it('removes the demo data with --replace-demo, and later imports do not need the option', async () => {
      expect(await folder.imported('--replace-demo', '--dry-run', ...ALL_NAMES)).to.include(
        'doctors: 3 added, 0 changed, 15 removed',
      );
      expect((await state()).doctors).to.have.length(15);
      await folder.imported('--replace-demo', ...ALL_NAMES);
      expect((await state()).doctors.map(({ id }) => id)).to.deep.equal([101, 102, 201]);
      expect(await folder.imported(...ALL_NAMES)).to.deep.equal(['Nothing changes.']);
      expect(await folder.imported('--replace-demo', ...ALL_NAMES)).to.deep.equal(['Nothing changes.']);
    });

    it('asks for another database, with and without --replace-demo, if the demo doctors have appointments', async () => {
      await folder.inHospital((hospital) => hospital.book());
      const told = [
        'The database: demo center 1, Bengaluru, has appointments (1) and cannot be removed; expected another database in DATABASE_URL.',
        'Nothing was imported.',
      ];
      expect(await folder.refused('--replace-demo', ...ALL_NAMES)).to.deep.equal(told);
      expect(await folder.refused(...ALL_NAMES)).to.deep.equal(told);
    });

    it('cannot refer to the demo data that it removes', async () => {
      folder.write('doctors.csv', 'centerid,DoctorID,DoctorName\n2,201,Dr. Anita Urs\n');
      const [error] = await folder.refused('--replace-demo', 'doctors.csv');
      expect(error).to.equal(
        'doctors.csv, line 2, column centerid: "2" is not a center of the database or of these files; expected one that is.',
      );
    });
  });

  it('reads thousands of doctors and their hours within seconds', async () => {
    const doctors = Array.from({ length: 1000 }, (_, index) => index + 1);
    folder.write('centers.csv', CENTERS);
    folder.write('doctors.csv', `centerid,DoctorID,DoctorName\n${doctors.map((id) => `1,${id},Dr. ${id}\n`).join('')}`);
    folder.write(
      'opening-hours.csv',
      `centerid,DoctorID,Days,From,To\n${doctors.map((id) => `1,${id},Mon-Fri,09:00,13:00\n1,${id},Mon-Fri,17:00,20:00\n`).join('')}`,
    );
    await folder.imported('centers.csv', 'doctors.csv', 'opening-hours.csv');
    expect((await state()).openingHours).to.have.length(10_000);
  });
});
