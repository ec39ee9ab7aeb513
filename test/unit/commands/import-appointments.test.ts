import { join } from 'node:path';
import { expect } from 'chai';
import { formatWallMinute } from '../../../src/vocabulary/wall-minute.ts';
import { commandFolder } from '../../support/commands/command-folder.ts';
import { ASHA, MEENA, RAVI, standingHospital } from '../../support/commands/standing-hospital.ts';
import { addHours, type Hospital, openHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { expectMode } from '../../support/process/on-windows.ts';

const AUDIT = /^The audit trail records this as import-[0-9a-f]{32}\.$/;

describe('The import of appointments', () => {
  const { folder, write, writeWith } = standingHospital();

  const imported = (...flags: readonly string[]) => folder.imported('appointments.csv', ...flags);
  const refused = (...flags: readonly string[]) => folder.refused('appointments.csv', ...flags);
  const serving = <T>(work: (hospital: Hospital) => Promise<T>) => folder.inHospital(work);
  const status = (hospital: Hospital, AppointmentID: number, centerid = 1) =>
    hospital.ok('Appointment_Status', { AppointmentID, centerid });
  /** Of appointments 1 to 3. */
  const tokens = async () => {
    const rows = await folder.store((store) => store.read(({ imports }) => imports.appointments(1, [1, 2, 3])));
    return rows.map(({ id, tokenNo }) => `${id}: ${tokenNo}`);
  };
  const book = (given: Record<string, string | number>) => ({
    DoctorID: 101,
    centerid: 1,
    ...patient(9),
    Name: 'Zoya Khan',
    contactnumber: '9845099999',
    app_date: '2027-01-18',
    app_time: '10:30',
    ...given,
  });

  it('keeps numbers, tokens and statuses, including those outside opening hours and in the past', async () => {
    write(
      `1,17,101,2027-01-18,10:15,,${ASHA},2,4`,
      `1,5,101,2019-03-01 00:00:00.000,1899-12-30 03:10:00,,${RAVI},Completed,`,
      `2,17,201,18-Jan-2027,10:15 AM,10:25,${MEENA},pending,1`,
      `1,6,103,2027-01-19,10:15,,${RAVI},no show,`,
    );
    const [added, audit, ...more] = await imported();
    expect(added).to.equal('appointments: 4 added');
    expect(audit).to.match(AUDIT);
    expect(more).to.deep.equal([]);
    await serving(async (hospital) => {
      const start = { appdate: '2027-01-18T00:00:00', apptime: '2027-01-18T10:15:00' };
      expect(await status(hospital, 17)).to.include({ DoctorID: 101, Status: 2, ...start });
      expect(await status(hospital, 5)).to.include({ StatusText: 'Completed', apptime: '2019-03-01T03:10:00' });
      expect(await status(hospital, 17, 2)).to.include({ StatusText: 'Pending' });
      expect(await status(hospital, 6)).to.include({ StatusText: 'NoShow', DoctorName: 'Dr. Gone' });
      const day = await hospital.ok('OPAppointmentdetail', { doctorid: 101, centerid: 1, appdate: '2027-01-18' });
      expect(day.Appointments).to.deep.equal({
        Appointment: [
          {
            TokenNo: 4,
            AppointmentID: 17,
            ...patient(1),
            title: 'Mrs.',
            Name: 'Asha Pai',
            Sex: 'F',
            Age: '34Y',
            area: 'Indira, Nagar',
            contactnumber: '+********2345',
            ...start,
            Status: 2,
            StatusText: 'Booked',
          },
        ],
      });
    });
  });

  it('gives later bookings higher numbers and tokens, and refuses bookings of its slots', async () => {
    write(`1,5000,101,2027-01-18,10:15,,${ASHA},2,4`, `1,4000,101,2027-01-18,11:15,,${RAVI},,`);
    await imported();
    await serving(async (hospital) => {
      await hospital.refused('Fetch_Details', book({ app_time: '10:15' }), 14);
      const asha = patient(1);
      await hospital.refused('Fetch_Details', book({ ...asha, DoctorID: 102, app_time: '10:15' }), 17);
      const first = await hospital.ok('Fetch_Details', book({}));
      expect(first).to.include({ TokenNo: 6 });
      // PostgreSQL does not reuse the number of a refused booking.
      expect(first.AppointmentID).to.be.greaterThan(5000).and.lessThan(5010);
      const again = { ...asha, app_time: '10:15', contactnumber: '9845012345' };
      expect(await hospital.ok('Fetch_Details', book(again))).to.include({ ResultCode: 1, AppointmentID: 5000 });
      await hospital.cancel(4000);
      const freed = book({ app_time: '11:15', ...patient(8), contactnumber: '9845088888' });
      expect(await hospital.ok('Fetch_Details', freed)).to.include({ ResultCode: 0 });
    });
  });

  // What may overlap a time is looked for only as far back as the longest visit reaches.
  it('gives nobody the last minutes of a long visit: neither its patient elsewhere, nor its doctor', async () => {
    write(
      `1,21,102,2027-01-18,08:00,13:50,${ASHA},,`,
      `1,22,101,2027-01-17,23:50,05:50,${RAVI},,`,
      `2,23,201,2027-01-17,18:05,00:05,${RAVI},,`,
    );
    await imported();
    await serving(async (hospital) => {
      await hospital.refused('Fetch_Details', book({ ...patient(1), app_time: '12:45' }), 17);
      await addHours(hospital.store, { doctorId: 101, weekday: 1, from: 5 * 60, to: 8 * 60 });
      await hospital.refused('Fetch_Details', book({ app_time: '05:45' }), 14);
      await hospital.ok('Fetch_Details', book({ app_time: '06:00' }));
    });
    write(`2,31,201,2027-01-18,00:01,00:06,${MEENA},,`);
    expect((await refused())[0]).to.include('overlaps appointment 23 of the database, for doctor 201');
  });

  it('finds an overlap with the first minutes of a day of which the file has nothing', async () => {
    write(`1,22,101,2027-01-19,05:49,05:54,${RAVI},,`);
    await imported();
    write(`1,31,101,2027-01-18,23:50,05:50,${MEENA},,`);
    expect((await refused())[0]).to.include('overlaps appointment 22 of the database, for doctor 101');
  });

  // One visit after another on either side of the new one, on different seats.
  it('gives other appointments new seats for one that finds none free throughout, as a booking does', async () => {
    const rows = [
      `1,21,102,2027-01-18,10:30,11:00,${ASHA},,`,
      `1,22,102,2027-01-18,10:00,10:10,${RAVI},,`,
      `1,23,102,2027-01-18,10:00,10:30,${MEENA},,`,
      `1,24,102,2027-01-18,10:15,10:45,,,Zoya Khan,,,,,,,`,
    ];
    const seats = () =>
      folder.store(async (store) => {
        const stored = await store.read(({ imports }) => imports.appointments(1, [21, 22, 23, 24, 121, 122, 123, 124]));
        return stored.map(({ id, seat }) => `${id}: ${seat}`);
      });
    // The last one by itself, when the others are stored, and another day all of them together.
    write(...rows.slice(0, 3));
    await imported();
    expect(await seats()).to.have.members(['21: 1', '22: 1', '23: 2']);
    write(...rows.slice(3), ...rows.map((row) => row.replace('1,2', '1,12').replace('01-18', '01-19')));
    await imported();
    const first = ['21: 2', '22: 1', '23: 2', '24: 1'];
    expect(await seats()).to.have.members([...first, ...first.map((seat) => `1${seat}`)]);
  });

  it('gives new seats also to appointments that begin long after the last row, if one takes the seat of the other', async () => {
    write(`1,21,102,2027-01-19,05:00,10:00,${ASHA},,`, `1,22,102,2027-01-19,09:00,12:00,${RAVI},,`);
    await imported();
    write(`1,23,102,2027-01-18,23:50,05:50,${MEENA},,`);
    await imported();
    const rows = await folder.store((store) => store.read(({ imports }) => imports.appointments(1, [21, 22, 23])));
    expect(rows.map(({ id, seat }) => `${id}: ${seat}`)).to.have.members(['21: 2', '22: 1', '23: 1']);
  });

  it('keeps the length of a visit that is moved, and moved back', async () => {
    write(`1,21,101,2027-01-18,09:15,10:05,${ASHA},,`, `1,22,102,2027-01-18,14:00,15:40,${RAVI},,`);
    await imported();
    const spans = () =>
      folder.store(async (store) => {
        const rows = await store.read(({ imports }) => imports.appointments(1, [21, 22]));
        return rows.map(({ startsAt, endsAt }) => `${formatWallMinute(startsAt).slice(5, 16)} ${endsAt - startsAt}`);
      });
    await serving(async (hospital) => {
      const moved = (AppointmentID: number, appdate: string, apptime: string) => ({
        AppointmentID,
        type: 1,
        appdate,
        apptime,
        centerid: 1,
      });
      const move = (...to: Parameters<typeof moved>) => hospital.ok('Appointment_Status_Updates', moved(...to));
      // The hours end at 13:00.
      await hospital.refused('Appointment_Status_Updates', moved(21, '2027-01-25', '12:15'), 13);
      await move(21, '2027-01-25', '12:00');
      await move(22, '2027-01-19', '23:30');
      expect(await spans()).to.have.members(['01-25T12:00 50', '01-19T23:30 100']);
      await hospital.refused('Fetch_Details', book({ app_date: '2027-01-25', app_time: '12:45' }), 14);
      await hospital.ok('Fetch_Details', book({ app_time: '09:30' }));
      await hospital.refused('Appointment_Status_Updates', moved(21, '2027-01-18', '09:15'), 14);
      await hospital.cancel(Number((await hospital.ok('Fetch_Details', book({ app_time: '09:30' }))).AppointmentID));
      await move(21, '2027-01-18', '09:15');
      await move(22, '2027-01-18', '14:00');
    });
    expect(await spans()).to.have.members(['01-18T09:15 50', '01-18T14:00 100']);
  });

  it('counts the age of a date of birth from the booking, as the booking did', async () => {
    writeWith(',CreatedOn', '1,1,101,2024-01-22,09:00,,,,Asha Pai,,2023-03-01,,,,5,1,2024-01-20T10:00:00+05:30');
    await folder.imported('appointments.csv');
    const [stored] = await folder.store((store) => store.read(({ imports }) => imports.appointments(1, [1])));
    expect(stored).to.include({ ageText: '2023-03-01', ageValue: 10, ageUnit: 'M' });
  });

  it('gives tokens in order of time to rows without one, above the existing tokens', async () => {
    write(
      `1,1,101,2027-01-18,12:00,,${ASHA},,`,
      `1,2,101,2027-01-18,09:00,,${RAVI},,`,
      `1,3,101,2027-01-18,09:15,,${MEENA},Cancelled,7`,
    );
    await imported();
    expect(await tokens()).to.have.members(['1: 9', '2: 8', '3: 7']);
  });

  it('changes nothing the second time, and adds new rows', async () => {
    write(`1,1,101,2027-01-18,12:00,,${ASHA},,`, `1,2,101,2027-01-18,09:00,09:10,${RAVI},Cancelled,3`);
    await imported();
    expect(await imported()).to.deep.equal(['Nothing changes.']);
    write(`1,1,101,2027-01-18,12:00,,${ASHA},,`, `1,3,101,2027-01-18,09:00,,${MEENA},,`);
    expect((await imported())[0]).to.equal('appointments: 1 added, 1 already stored');
    const columns = 'centerid,AppointmentID,DoctorID,date,time,Name,contactnumber';
    folder.write('appointments.csv', `${columns}\n1,1,101,2027-01-18,12:00,Asha Pai,9845012345\n`);
    expect(await imported()).to.deep.equal(['Nothing changes.']);
  });

  it('refuses a row that differs from what is stored, and shows no data of the patient', async () => {
    write(`1,1,101,2027-01-18,12:00,,${ASHA},,`);
    await imported();
    write(`1,1,101,2027-01-18,12:15,,${ASHA.replace('Asha', 'Usha').replace('45,asha', '46,asha')},Arrived,`);
    expect(await refused()).to.deep.equal([
      'appointments.csv, line 2, column AppointmentID: "1" is already stored with a different apptime (12:00 is stored), Name, contactnumber, Status (Booked is stored); expected what is stored, or another number.',
      'Nothing was imported.',
    ]);
  });

  it('reports everything that a booking would be refused for, by line and column, without patients’ data', async () => {
    write(
      `1,1,101,2027-01-18,12:00,,R-1,,12345,Q,200Y,,9845055555,x,,`,
      `1,2,101,2027-01-18,25:00,,R-1,,Secret Name,,,,,,,`,
      `1,3,101,18/01/2027,12:00,,R-1,,34,,,,12,,,`,
      `1,4,999,2027-01-18,12:00,,${ASHA},9,0`,
      `7,2147483648,101,2027-01-18,12:00,,${ASHA},,`,
      `1,6,101,2027-01-18,12:00,,R-1,,Secret Name,,,,12,,,`,
      `1,7,101,2027-01-18,13:00,,R-1,,Secret Name,,,,9845055555,secret,,`,
      `1,7,999,2027-01-18,13:15,,${RAVI},,`,
      `1,8,101,2027-01-18,13:05,,${RAVI},,`,
      `1,9,101,2027-01-18,14:00,14:01,${MEENA},,`,
    );
    const places = [
      'lines 2, 4, column Name: the value contains no letter; expected the name of the patient.',
      'line 3, column apptime: "25:00"; expected a time of day such as 09:30.',
      'line 4, column appdate: "18/01/2027"; expected a day such as 2027-01-18 or 18-Jan-2027.',
      'lines 4, 7, column contactnumber: the value holds no phone number; expected one such as 9845012345 or +919845012345, or none.',
      'line 5, column Status: "9"; expected one of 1 Pending, 2 Booked, 3 Arrived, 4 InConsultation, 5 Completed, 6 Cancelled, 7 NoShow, by number or name.',
      'line 5, column TokenNo: "0"; expected a whole number from 1 to 2000000000.',
      'line 6, column AppointmentID: "2147483648"; expected a whole number from 1 to 2000000000.',
      'line 9, column AppointmentID: "7" is already given in appointments.csv, line 8; expected it once.',
      'line 9, column DoctorID: "999" is not a doctor of center 1 in the database or in these files; expected one that is.',
      'line 10: overlaps appointments.csv, line 8, for doctor 101; expected no overlap, or --allow-overlaps.',
      'line 11, column EndTime: "14:01" is 1 minute after apptime; expected 5 to 360.',
    ];
    const errors = await refused('doctors.csv', '--errors', 'errors.csv');
    expect(errors).to.deep.equal([...places.map((text) => `appointments.csv, ${text}`), 'Nothing was imported.']);
    // In the file, for a program or a spreadsheet, each mistake has its line, and no cell's value.
    const [header, ...lines] = folder.read('errors.csv').trimEnd().split('\r\n');
    expect(header).to.equal('File,Line,Column,Mistake');
    expect(lines).to.have.length(places.length + 2);
    expect(lines).to.include.members([
      'appointments.csv,3,apptime,expected a time of day such as 09:30',
      'appointments.csv,4,contactnumber,"the value holds no phone number; expected one such as 9845012345 or +919845012345, or none"',
      'appointments.csv,7,contactnumber,"the value holds no phone number; expected one such as 9845012345 or +919845012345, or none"',
    ]);
    expectMode(join(folder.path, 'errors.csv'), 0o600);
    write(`1,1,101,2027-01-18,12:00,,${ASHA},,`);
    await imported('--errors', 'errors.csv');
    expect(folder.read('errors.csv')).to.equal('File,Line,Column,Mistake\r\n');
  });

  it('accepts a patient as erased only if none of the patient’s data is left', async () => {
    const erased = (more: Record<string, string> = {}) => {
      const cells = { registration: '', title: '', name: 'Erased', sex: 'F', age: '', area: '', phone: '', email: '' };
      return `1,1,101,2027-01-18,12:00,,${Object.values({ ...cells, ...more }).join()},,`;
    };
    const left = [
      ['registration', 'RegistrationNumber', 'R-17'],
      ['title', 'title', 'Mrs.'],
      ['age', 'Age', '34Y'],
      ['area', 'area', 'Indiranagar'],
      ['email', 'email', 'asha@example.org'],
    ] as const;
    for (const [cell, column, value] of left) {
      write(erased({ [cell]: value }));
      const [first] = await refused();
      expect(first).to.include(`line 2, column ${column}: is not empty, but Name is Erased and contactnumber is empty`);
      expect(first).not.to.include(value);
    }
    // A patient whose name is "Erased" is a patient like any other.
    write(erased({ registration: 'R-17', phone: '9845012345' }));
    await imported();
    const [row] = await folder.store((store) => store.read(({ imports }) => imports.appointments(1, [1])));
    expect(row).to.include({ registrationNumber: 'R-17', phone: '+919845012345' });
    write(erased().replace('1,1,', '1,2,').replace('12:00', '12:15'));
    expect((await imported())[0]).to.equal('appointments: 1 added');
  });

  it('reads NULL and \\N, as query tools write them, as empty cells', async () => {
    const row = '1,1,101,2027-01-18,12:00:30,NULL,NULL,NULL,Asha Pai,NULL,NULL,NULL,NULL,NULL,NULL,NULL';
    write(row);
    await imported();
    write(row.replaceAll('NULL', '\\N'));
    expect(await imported()).to.deep.equal(['Nothing changes.']);
    const [stored] = await folder.store((store) => store.read(({ imports }) => imports.appointments(1, [1])));
    const empty = { registrationNumber: null, title: null, ageText: null, area: null, phone: null, email: null };
    expect(stored).to.include({ ...empty, name: 'Asha Pai', sex: 'U', sexText: null, status: 2, tokenNo: 1 });
  });

  it('reads a status by its number or its name, in British and American English', async () => {
    const spellings = ['Cancelled', 'Canceled', 'CANCELED', '6', 'no-show', 'fulfilled'];
    write(...spellings.map((text, n) => `1,${n + 1},101,2027-01-18,12:00,,${ASHA},${text},`));
    await imported();
    await serving(async (hospital) => {
      const texts = spellings.map(async (_, n) => (await status(hospital, n + 1)).StatusText);
      const read = ['Cancelled', 'Cancelled', 'Cancelled', 'Cancelled', 'NoShow', 'Completed'];
      expect(await Promise.all(texts)).to.deep.equal(read);
    });
    write(`1,21,101,2027-01-25,12:00,,${ASHA},Scheduled,`, `1,22,101,2027-01-25,12:15,,${ASHA},CONFIRMED,`);
    await imported();
    await serving(async (hospital) => {
      for (const id of [21, 22]) expect(await status(hospital, id)).to.include({ StatusText: 'Booked' });
    });
  });

  it('imports what is over without a phone that nobody can correct, warns of it, and needs no column of phones', async () => {
    const [asha, ravi] = [ASHA, RAVI].map((patient) => patient.replace(/98450123\d\d/, '98450 1234'));
    write(`1,1,101,2019-01-18,12:00,,${asha},5,`, `1,2,101,2019-01-18,12:15,,${ravi},NoShow,`);
    const warned = 'lines 2, 3, column contactnumber: the value holds no phone number; the appointment is over, so';
    expect((await imported('--errors', 'errors.csv')).join()).to.include(`appointments.csv, ${warned}`);
    expect(folder.read('errors.csv')).to.match(/\r\nappointments\.csv,3,contactnumber,"?the value holds no phone/);
    expect(await imported()).to.include('Nothing changes.');
    const columns = 'centerid,AppointmentID,DoctorID,appdate,apptime,Name';
    folder.write('appointments.csv', `${columns}\n1,3,101,2027-01-18,12:00,Uma Nair\n`);
    await imported();
    const rows = await folder.store((store) => store.read(({ imports }) => imports.appointments(1, [1, 2, 3])));
    expect(rows.map(({ phone }) => phone)).to.deep.equal([null, null, null]);
    write(`1,4,101,2027-01-25,12:00,,${asha},2,`);
    expect((await refused())[0]).to.include('column contactnumber: the value holds no phone number; expected');
  });

  it('accepts rows without a header as a header, and repeats nothing from them', async () => {
    folder.write('appointments.csv', `1,1,101,2027-01-18,12:00,,${ASHA},,\n`);
    expect((await refused())[0]).to.match(
      /^appointments\.csv, line 1: is not a header; expected centerid, AppointmentID, /,
    );
  });

  it('counts with --dry-run how many rows would be added, and writes nothing', async () => {
    write(`1,1,101,2027-01-18,12:00,,${ASHA},,`);
    expect(await imported('--dry-run')).to.deep.equal(['appointments: 1 added', 'Dry run: nothing was written.']);
    expect((await imported())[0]).to.equal('appointments: 1 added');
  });

  it('is audited as one row, which names its files and no person', async () => {
    write(`1,1,101,2027-01-18,12:00,,${ASHA},,`, `1,2,101,2027-01-18,09:00,,${RAVI},,`);
    const name = (await imported())[1]?.match(/import-\w+/)?.[0];
    await imported();
    const { output } = await folder.audit('--format', 'ndjson');
    expect(output.map((line) => JSON.parse(line))).to.have.length(1);
    expect(JSON.parse(output[0] ?? '')).to.include({
      Operation: 'Import',
      Action: 'C',
      Outcome: 0,
      Client: 'tpws import',
      CorrelationId: name,
      Move: 'Import of 2 appointments and 0 feedback records',
    });
  });

  it('compares appointments of days that are not read together, because there are thousands of them', async () => {
    const cancelled = Array.from({ length: 1000 }, (_, n) => `1,${n + 100},101,2027-01-18,12:00,,${ASHA},Cancelled,`);
    write(`1,1,101,2027-01-19,00:10,,${MEENA},,5`);
    await imported();
    write(
      ...cancelled,
      `1,2,101,2027-01-18,23:50,00:05,${ASHA},,1`,
      `1,3,101,2027-01-19,00:00,00:10,${RAVI},,5`,
      `1,4,101,2027-01-19,00:20,,${RAVI},,6`,
    );
    expect(await refused()).to.deep.equal([
      'appointments.csv, line 1003: overlaps appointments.csv, line 1002, for doctor 101; expected no overlap, or --allow-overlaps.',
      'appointments.csv, line 1004: overlaps appointment 1 of the database, for doctor 101; expected no overlap, or --allow-overlaps.',
      'Nothing was imported.',
    ]);
    expect((await imported('--allow-overlaps')).slice(0, 2)).to.deep.equal([
      'appointments: 1003 added',
      '2 appointments overlap others and are marked.',
    ]);
    expect(await imported()).to.deep.equal(['Nothing changes.']);
  });

  it('keeps a token that the old system gave out twice, and later bookings get higher ones', async () => {
    write(
      `1,1,101,2027-01-18,09:00,,${ASHA},,4`,
      `1,2,101,2027-01-18,12:00,,${RAVI},,4`,
      `1,3,101,2027-01-18,12:30,,${MEENA},,`,
    );
    await imported();
    expect(await tokens()).to.have.members(['1: 4', '2: 4', '3: 5']);
    expect(await imported()).to.deep.equal(['Nothing changes.']);
    await folder.inHospital(async (hospital) => {
      expect(await hospital.book({ DoctorID: 101, ...patient(9), Name: 'Uma' })).to.include({ TokenNo: 6 });
    });
  });

  describe('of overlapping appointments', () => {
    const overlapping = () =>
      write(
        `1,1,101,2027-01-18,10:15,,${ASHA},,`,
        `1,2,101,2027-01-18,10:20,,${RAVI},,`,
        `1,3,102,2027-01-18,10:00,,${ASHA},,`,
        `1,4,101,2027-01-18,10:15,,${ASHA},,`,
        `1,5,101,2027-01-18,10:15,,${MEENA},Cancelled,`,
        `1,6,102,2027-01-18,10:00,,${MEENA},,`,
      );

    for (const [what, one, other] of [
      ['titles', ',Baby 1,Baby of Lakshmi,,,,9845077777,', ',Baby 2,Baby of Lakshmi,,,,9845077777,'],
      ['dates of birth', ',,Lakshmi Devi,,12/03/1954,,9845077777,', ',,Lakshmi Devi,,05/11/2018,,9845077777,'],
    ] as const) {
      it(`takes two people for two, whose ${what} differ`, async () => {
        write(`1,1,101,2027-01-18,10:15,,${one},,`, `1,2,102,2027-01-18,10:00,,${other},,`);
        expect((await imported())[0]).to.equal('appointments: 2 added');
      });
    }

    it('reports them by file and line, and refuses them', async () => {
      overlapping();
      expect(await refused()).to.deep.equal([
        'appointments.csv, line 3: overlaps appointments.csv, line 2, for doctor 101; expected no overlap, or --allow-overlaps.',
        'appointments.csv, line 4: overlaps appointments.csv, line 2, of the same patient; expected no overlap, or --allow-overlaps.',
        'appointments.csv, line 5: repeats the booking of appointments.csv, line 2; expected no overlap, or --allow-overlaps.',
        'Nothing was imported.',
      ]);
      write(`1,1,101,2027-01-18,10:15,,${ASHA},,`);
      await imported();
      write(`1,2,101,2027-01-18,10:20,,${RAVI},,`);
      expect((await refused())[0]).to.match(/line 2: overlaps appointment 1 of the database, for doctor 101;/);
    });

    it('accepts them with --allow-overlaps, marks them, and opens no slot for bookings', async () => {
      overlapping();
      expect((await imported('--allow-overlaps')).slice(0, 2)).to.deep.equal([
        'appointments: 6 added',
        '3 appointments overlap others and are marked.',
      ]);
      expect(await imported()).to.deep.equal(['Nothing changes.']);
      await serving(async (hospital) => {
        const move = (AppointmentID: number, type: number, more = {}) =>
          hospital.ok('Appointment_Status_Updates', { AppointmentID, type, centerid: 1, ...more });
        await hospital.refused('Fetch_Details', book({ app_time: '10:15' }), 14);
        // The seat of the first is free again, but its time is still held by others.
        await move(1, 6);
        await hospital.refused('Fetch_Details', book({ app_time: '10:15' }), 14);
        await move(4, 6);
        await hospital.refused('Fetch_Details', book({ app_time: '10:15' }), 14);
        await hospital.refused('Fetch_Details', book({ app_time: '10:30' }), 14);
        // After it moves away it is like any other, and cannot move back into the overlap.
        await move(2, 1, { appdate: '2027-01-18', apptime: '11:00' });
        expect(await hospital.ok('Fetch_Details', book({ app_time: '10:15' }))).to.include({ ResultCode: 0 });
        const seven = { ...patient(7), contactnumber: '9845077777' };
        await hospital.refused('Fetch_Details', book({ ...seven, app_time: '11:00' }), 14);
        const back = { AppointmentID: 2, type: 1, centerid: 1, appdate: '2027-01-18', apptime: '10:15' };
        await hospital.refused('Appointment_Status_Updates', back, 14);
      });
    });

    it('marks them by what they overlap, whatever the file says', async () => {
      writeWith(
        ',Overlap',
        `1,1,101,2027-01-18,10:15,,${ASHA},,,yes`,
        `1,2,101,2027-01-18,11:15,,${RAVI},Cancelled,,yes`,
        `1,3,101,2027-01-18,12:15,,${MEENA},,,no`,
      );
      expect((await imported()).slice(0, -1)).to.deep.equal(['appointments: 3 added']);
      await folder.export('--out', 'out', 'appointments');
      expect(folder.read('out/appointments.csv')).not.to.include(',yes,');
      await serving((hospital) => hospital.refused('Fetch_Details', book({ app_time: '10:15' }), 14));
      // Only the row whose cell says yes is marked, although it comes first.
      writeWith(
        ',Overlap',
        `1,4,101,2027-01-19,10:15,,${ASHA},,,yes`,
        `1,5,101,2027-01-19,10:15,,${RAVI},,,no`,
        `1,6,101,2027-01-19,10:15,,${MEENA},,,no`,
      );
      expect(await refused()).to.deep.equal([
        'appointments.csv, lines 2, 4: overlaps appointments.csv, line 3, for doctor 101; expected no overlap, or --allow-overlaps.',
        'Nothing was imported.',
      ]);
      expect((await imported('--allow-overlaps'))[1]).to.equal('2 appointments overlap others and are marked.');
      await folder.export('--out', 'out', 'appointments');
      const marked = folder
        .read('out/appointments.csv')
        .split('\r\n')
        .filter((row) => row.includes(',yes,'));
      expect(marked.map((row) => row.split(',')[1])).to.deep.equal(['4', '6']);
    });

    it('lets them change status like others, although they overlap', async () => {
      overlapping();
      await imported('--allow-overlaps');
      await serving(async (hospital) => {
        hospital.clock.now = Date.UTC(2027, 0, 18, 4, 50);
        for (const AppointmentID of [1, 2, 3, 4]) {
          for (const type of [3, 4, 5]) {
            await hospital.ok('Appointment_Status_Updates', { AppointmentID, type, centerid: 1 });
          }
        }
      });
    });

    it('makes the database itself refuse another one that overlaps them', async () => {
      overlapping();
      await imported('--allow-overlaps');
      await folder.store(async (store) => {
        const [first] = await store.read(({ imports }) => imports.appointments(1, [1]));
        if (first === undefined) throw new Error('appointment 1 is not there');
        await store.write(({ appointments }) => appointments.setStatus({ centerId: 1, id: 1, status: 6, now: 0 }));
        const zoya = { registrationKey: 'R-9', nameKey: 'zoya', phone: '+919845099999' };
        const stranger = { ...zoya, id: 9, seat: 1, overlapping: 0 };
        const add = (given: object) =>
          store
            .write(({ imports }) => imports.addAppointments([{ ...first, ...stranger, ...given }]))
            .then(
              () => 'taken',
              (error: Error) => error.name,
            );
        // Seat 1 is free, and appointments 2 and 4 hold the time on their own seats.
        expect(await add({})).to.equal('StoreConflict');
        expect(await add({ startsAt: first.startsAt + 20, endsAt: first.endsAt + 20 })).to.equal('taken');
      });
    });

    it('leaves the free seats of a doctor who sees several patients at once open for bookings', async () => {
      write(
        `1,1,102,2027-01-18,10:00,,${ASHA},,`,
        `1,2,102,2027-01-18,10:00,,${RAVI},,`,
        `1,3,102,2027-01-18,10:00,,${MEENA},,`,
      );
      expect((await imported('--allow-overlaps'))[1]).to.equal('1 appointment overlaps another and is marked.');
      await serving(async (hospital) => {
        const other = book({ DoctorID: 102, app_time: '10:00' });
        await hospital.refused('Fetch_Details', other, 14);
        await hospital.cancel(1);
        await hospital.refused('Fetch_Details', other, 14);
        await hospital.cancel(2);
        await hospital.ok('Fetch_Details', other);
      });
    });
  });

  it('imports an export into another database, and exports the same again, including feedback', async () => {
    write(
      `1,1,101,2027-01-18,10:15,,${ASHA},,`,
      `1,2,101,2027-01-18,10:20,10:30,${RAVI},,`,
      `2,1,201,2027-01-18,23:50,00:05,${MEENA},NoShow,12`,
    );
    await imported('--allow-overlaps');
    await serving(async (hospital) => {
      hospital.clock.now += 123;
      await hospital.ok(
        'Fetch_Details',
        book({ Name: ' =Zoya\t"K"\r\nKhan ', area: "'=@home", app_time: '11:00', RegistrationNumber: '\t-7' }),
      );
      const move = { AppointmentID: 3, type: 1, centerid: 1, appdate: '2027-01-18', apptime: '11:15' };
      await hospital.ok('Appointment_Status_Updates', move);
      await hospital.ok('FB_Push_Details', {
        ipno: '+1',
        roomno: ' 12',
        moblieno: '9845012345',
        dept: '',
        needsimprovementcommit: 'Warm tea,\r\nplease "soon" ',
      });
    });
    const names = ['centers', 'doctors', 'opening-hours', 'appointments', 'feedback'].map((name) => `${name}.csv`);
    // An erased patient keeps a row, even if another row overlaps it.
    await folder.store((store) =>
      store.write(async ({ patients }) => {
        for (const { center_id: center, id } of await patients.appointmentsWith(['R-1'], [], [])) {
          await patients.eraseAppointment({ centerId: center, id, now: Date.UTC(2026, 0) });
        }
      }),
    );
    await folder.export('--out', 'out');
    expectMode(join(folder.path, 'out', 'appointments.csv'), 0o600);
    expect(await folder.imported(...names.map((name) => `out/${name}`))).to.deep.equal(['Nothing changes.']);
    const other = commandFolder();
    try {
      for (const name of names) other.write(name, folder.read(`out/${name}`));
      expect((await other.refused(...names))[0]).to.match(
        /^appointments\.csv, line 3: overlaps appointments\.csv, line 2/,
      );
      expect(await other.imported(...names, '--allow-overlaps')).to.include.members([
        'appointments: 4 added',
        'feedback: 1 added',
      ]);
      await other.export('--out', 'out');
      for (const name of names) expect(other.read(`out/${name}`), name).to.equal(folder.read(`out/${name}`));
      await other.store(async (store) => {
        const hospital = await openHospital({}, store);
        expect(await hospital.ok('FB_Push_Details', { ipno: '2', roomno: '1' })).to.include({ FeedbackID: 2 });
        expect(await hospital.ok('Fetch_Details', book({ app_time: '12:00' }))).to.include({ ResultCode: 0 });
      });
    } finally {
      other.dispose();
    }
  });

  it('reports feedback that differs from what is stored', async () => {
    folder.write('feedback.csv', 'FeedbackID,ipno,dept,ReceivedOn\n3,IP-1,ENT,2026-11-01 10:00\n');
    expect((await folder.imported('feedback.csv'))[0]).to.equal('feedback: 1 added');
    folder.write('feedback.csv', 'FeedbackID,ipno,dept,ReceivedOn\n3,IP-1,Eye,2026-11-01 10:01\n');
    const errors = await folder.refused('feedback.csv');
    expect(errors[0]).to.match(
      /^feedback\.csv, line 2, column FeedbackID: "3" is already stored with a different dept, ReceivedOn \(2026-11-01T10:00:00\.000\+05:30 is stored\);/,
    );
    folder.write('feedback.csv', 'FeedbackID,ipno,dept,ReceivedOn\n4,IP-2,,2026-11-01\n');
    expect((await folder.refused('feedback.csv'))[0]).to.equal(
      'feedback.csv, line 2, column needsimprovementcommit: is empty, and so are roomno, moblieno and dept; expected one of them.',
    );
  });
});
