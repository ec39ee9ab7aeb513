import { expect } from 'chai';
import { ALL_FILES, ALL_NAMES, CENTERS, DOCTORS, filledFolder } from '../../support/commands/command-folder.ts';
import { perTest } from '../../support/prepared.ts';

/** With another delimiter; the one comma within a cell stays. */
const delimited = (text: string, delimiter: string): string => text.replace(/,(?!\nwelcome)/g, delimiter);

/** The same text as other programs write it. */
const DIALECTS: Readonly<Record<string, (text: string) => string>> = {
  'a byte order mark': (text) => `\ufeff${text}`,
  'CR LF': (text) => text.replaceAll('\n', '\r\n'),
  semicolons: (text) => delimited(text, ';'),
  tabs: (text) => delimited(text, '\t'),
  'the separator in its first line': (text) => `sep=;\r\n${delimited(text, ';')}`,
  'numbers as texts that Excel is not to convert': (text) =>
    text.replace(/^(?=\d)(\d+),/gm, '="$1",').replace(/,(\d+)(?=[,\n])/g, ',"=""$1"""'),
  'the end of a DOS file': (text) => `${text}\u001a`,
  'no line end at the end': (text) => text.trimEnd(),
  'empty lines and cells at the end': (text) => text.replaceAll(/(?<!,)\n(?!welcome)/g, ',,\n').concat('\n,,,\n\n'),
  'column titles in another case': (text) => text.replace(/^[^\n]*/, (titles) => titles.toUpperCase()),
  'column titles in other words': (text) => text.replace('centerid', 'Center ID').replace('DoctorID', 'doctor_id'),
};

describe('The import reads CSV', () => {
  const folder = perTest(filledFolder);

  for (const [title, of] of Object.entries(DIALECTS)) {
    it(`with ${title}`, async () => {
      for (const [name, text] of Object.entries(ALL_FILES)) folder.write(`${name}.csv`, of(text));
      expect(await folder.imported(...ALL_NAMES)).to.deep.equal(['Nothing changes.']);
    });
  }

  it('with whole numbers as a data frame writes them in a column with an empty cell, and says so', async () => {
    folder.write('doctors.csv', DOCTORS.replace(/^(\d+),(\d+),/gm, '$1.0,$2.00,'));
    expect(await folder.imported('doctors.csv')).to.deep.equal([
      'Nothing changes.',
      'doctors.csv: a program wrote ".0" behind every whole number of centerid, DoctorID; they are read without it.',
    ]);
    folder.write('doctors.csv', DOCTORS.replace(/^1,101,/m, '1,101.0,'));
    expect(await folder.refused('doctors.csv')).to.deep.equal([
      'doctors.csv, line 2, column DoctorID: "101.0"; expected a whole number from 1 to 2147483647.',
      'Nothing was imported.',
    ]);
  });

  it('with the texts of a data frame, but not with a text that ends so among others', async () => {
    const columns = 'centerid,AppointmentID,DoctorID,appdate,apptime,RegistrationNumber,Name,Age,contactnumber,Status';
    folder.write(
      'appointments.csv',
      `${columns}\n1,1,102,2027-01-18,12:00,1001.0,Asha Pai,34.0,9845012345.00,2.0\n1,2,102,2027-01-18,12:15,,Uma Nair,,,\n1,3,102,2027-01-18,12:30,1003.0,Ravi Rao,NULL,9845012346.00,2.0\n`,
    );
    expect(await folder.imported('appointments.csv')).to.include(
      'appointments.csv: a program wrote ".0" behind every whole number of RegistrationNumber, Age, contactnumber, Status; they are read without it.',
    );
    folder.write(
      'feedback.csv',
      'FeedbackID,ipno,roomno,ReceivedOn\n1,4711.0,12.0,2026-11-20\n2,IP-7,13.0,2026-11-20\n',
    );
    await folder.imported('feedback.csv');
    await folder.export('--out', 'out', '--plain', 'appointments', 'feedback');
    expect(folder.read('out/appointments.csv')).to.match(/,1001,,Asha Pai,U,34,,9845012345,/);
    expect(folder.read('out/feedback.csv')).to.match(/^1,4711\.0,12,/m);
  });

  it('with hours as people write them, and 23:59 as the end of a day', async () => {
    const hours = [
      ['9.00', '14.00'],
      ['9.30 AM', '12 noon'],
      ['1430 hrs', '17:00 hrs'],
      ['17.30', '23:59'],
      ['1.30 p.m.', '23:59:59'],
    ];
    const rows = hours.map(([from, to], day) => `1,101,${day + 1},${from},${to}\n`);
    folder.write('opening-hours.csv', `centerid,DoctorID,Days,From,To\n${rows.join('')}`);
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n1,101,2027-01-25 12 noon,2027-01-26 23:59\n');
    await folder.imported('opening-hours.csv', 'leave.csv');
    await folder.export('--out', 'out', 'opening-hours', 'leave');
    expect(folder.read('out/opening-hours.csv')).to.match(
      /Mon,09:00,14:00,.*Tue,09:30,12:00,.*Wed,14:30,17:00,.*Thu,17:30,24:00,.*Fri,13:30,24:00,/s,
    );
    expect(folder.read('out/leave.csv')).to.include('1,101,2027-01-25 12:00,2027-01-26\r\n');
    folder.write('opening-hours.csv', 'centerid,DoctorID,Days,From,To\n1,101,1,9.00,14.00\n1,101,2,10.00,15.00\n');
    await folder.imported('opening-hours.csv');
    await folder.export('--out', 'out', 'opening-hours');
    expect(folder.read('out/opening-hours.csv')).to.match(/Mon,09:00,14:00,.*Tue,10:00,15:00,/s);
  });

  it('and warns of hours without a slot, or with a rest, with their lines', async () => {
    const nobody = (doctor: number, span: string, minutes: number) =>
      `nobody can be booked with doctor ${doctor} from ${span}, because the slots take ${minutes} minutes; the hours are imported as they are.`;
    const head = 'centerid,DoctorID,DoctorName,SlotMinutes\n';
    folder.write('doctors.csv', `${head}1,101,Dr. Asha Rao,60\n1,102,Dr. Vikram Shetty,60\n`);
    const rows = '1,102,Mon,09:00,09:30\n1,102,Mon,10:00,11:45\n1,102,Mon,14:00,16:00\n1,102,Tue-Wed,09:00,09:30\n';
    folder.write('opening-hours.csv', `centerid,DoctorID,Days,From,To\n${rows}`);
    const lines = await folder.imported('doctors.csv', 'opening-hours.csv');
    expect(lines.filter((line) => line.includes('nobody'))).to.deep.equal([
      `opening-hours.csv, line 2, column To: ${nobody(102, '09:00 to 09:30 on Mon', 60)}`,
      `opening-hours.csv, line 3, column To: ${nobody(102, '11:00 to 11:45 on Mon', 60)}`,
      `opening-hours.csv, line 5, column To: ${nobody(102, '09:00 to 09:30 on Tue Wed', 60)}`,
    ]);
    folder.write('doctors.csv', `${head}1,101,Dr. Asha Rao,50\n`);
    for (const expected of [
      [
        `doctors.csv, line 2, column SlotMinutes: ${nobody(101, '12:20 to 13:00 on Mon-Sat', 50)}`,
        `doctors.csv, line 2, column SlotMinutes: ${nobody(101, '23:40 to 24:00 on Mon-Sat', 50)}`,
      ],
      [],
    ]) {
      const again = await folder.imported('doctors.csv');
      expect(again.filter((line) => line.includes('nobody'))).to.deep.equal(expected);
    }
  });

  it('and warns of days that are later than any booking may be, unless they mean for ever', async () => {
    const hours = '1,101,Mon,09:00,12:00,2570-01-18,9998-12-31\n1,101,Tue,09:00,12:00,,2207-01-01\n';
    folder.write('opening-hours.csv', `centerid,DoctorID,Days,From,To,ValidFrom,ValidTo\n${hours}`);
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n1,101,2027-01-25,2072-01-26\n1,102,2027-01-25,9998-12-31\n');
    const rows = [1, 2, 3].map((n) => `1,${n},102,2570-01-1${n},12:00,Asha Pai,\n`).join('');
    folder.write(
      'appointments.csv',
      `centerid,AppointmentID,DoctorID,appdate,apptime,Name,contactnumber\n${rows}1,4,102,2028-01-11,12:00,Asha Pai,\n`,
    );
    const lines = await folder.imported('opening-hours.csv', 'leave.csv', 'appointments.csv');
    const late = 'is after 2028-11-19, which is beyond everything that can be booked; it is imported as it is.';
    expect(lines.filter((line) => line.includes(' is after '))).to.deep.equal([
      `opening-hours.csv, line 2, column ValidFrom: ${late}`,
      `opening-hours.csv, line 3, column ValidTo: ${late}`,
      `leave.csv, line 2, column To: ${late}`,
      `appointments.csv, lines 2, 3, 4, column appdate: ${late}`,
    ]);
  });

  it('in UTF-16 with a byte order mark, as Excel saves Unicode text', async () => {
    const text = `\ufeff${CENTERS.replaceAll(',', '\t')}${'\n'.repeat(100_000)}`;
    folder.write('centers.csv', Buffer.from(text, 'utf16le'));
    expect(await folder.imported('centers.csv')).to.deep.equal(['Nothing changes.']);
  });

  it('in windows-1252, with a warning that names the line', async () => {
    folder.write('centers.csv', Buffer.from('centerid,CenterName\n1,a\n2,M\u00fcnchen \u0096\n', 'latin1'));
    expect(await folder.imported('centers.csv')).to.deep.equal([
      'centers: 0 added, 2 changed, 0 removed',
      'centers.csv, line 3: is not UTF-8, and is read as windows-1252.',
    ]);
    const centers = await folder.store((store) => store.read(({ referenceTables }) => referenceTables.rows('center')));
    expect(centers.map(({ name }) => name)).to.deep.equal(['a', 'München –']);
  });

  it('by its header, if the file name does not name a table', async () => {
    const names = Object.entries(ALL_FILES).map(([name, text], index) => {
      folder.write(`list ${index}.txt`, text);
      return [name, `list ${index}.txt`];
    });
    expect(await folder.imported(...names.map(([, file = '']) => file))).to.deep.equal(['Nothing changes.']);
  });

  it('from several files as if they were one', async () => {
    folder.write('more.csv', 'centerid,DoctorID,DoctorName\n1,103,Dr. Meera Krishnan\n');
    expect(await folder.imported('doctors.csv', 'more.csv')).to.deep.equal(['doctors: 1 added, 0 changed, 0 removed']);
  });

  it('and removes the apostrophe that an export puts before text that looks like a formula', async () => {
    folder.write('centers.csv', "centerid,CenterName\n1,'=SUM(A1)\n2,'s-Hertogenbosch\n");
    await folder.imported('centers.csv');
    const centers = await folder.store((store) => store.read(({ referenceTables }) => referenceTables.rows('center')));
    expect(centers.map(({ name }) => name)).to.deep.equal(['=SUM(A1)', "'s-Hertogenbosch"]);
  });

  it('with days and times as people write them', async () => {
    const days = [
      '1',
      'monday',
      'Mon,Wed',
      'Fri - Sun',
      'Sat-Mon',
      '1-3 5',
      'Mon to Wed & Fri',
      'Tues, Thurs. and Sundays',
      'daily',
    ];
    folder.write('doctors.csv', `${DOCTORS}${days.map((_, index) => `1,${300 + index},Dr. ${index},\n`).join('')}`);
    folder.write(
      'opening-hours.csv',
      `centerid,DoctorID,Days,From,To\n${days.map((text, index) => `1,${300 + index},"${text}",9:00,01:30 PM\n`).join('')}`,
    );
    await folder.imported('doctors.csv', 'opening-hours.csv');
    const hours = await folder.store((store) =>
      store.read(({ referenceTables }) => referenceTables.rows('opening_hours')),
    );
    const ofDoctor = (id: number) => hours.filter(({ doctorId }) => doctorId === id);
    expect(
      days.map((_, index) =>
        ofDoctor(300 + index)
          .map(({ weekday }) => weekday)
          .join(''),
      ),
    ).to.deep.equal(['1', '1', '13', '567', '167', '1235', '1235', '247', '1234567']);
    expect(ofDoctor(300)[0]).to.include({ from: 540, to: 810 });
  });

  it('with dates as a spreadsheet rewrote them, if --date-order says in which order', async () => {
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n1,101,1/2/2027,2/1/27 17:00\n');
    expect((await folder.refused('leave.csv'))[0]).to.include(
      'line 2, column From: "1/2/2027"; expected a day such as',
    );
    folder.write(
      'appointments.csv',
      'centerid,AppointmentID,DoctorID,appdate,apptime,Name,contactnumber,CreatedOn\n1,1,201,1-2-2027,1/1/1900 10:15,Asha,,12/31/26 8:30\n'.replace(
        '1,1,201',
        '2,1,201',
      ),
    );
    await folder.imported('leave.csv', 'appointments.csv', '--date-order', 'mdy');
    await folder.export('--out', 'out', 'leave', 'appointments');
    expect(folder.read('out/leave.csv')).to.include('1,101,2027-01-02,2027-02-01 17:00');
    expect(folder.read('out/appointments.csv')).to.match(
      /^2,1,201,2027-01-02,10:15,10:30,.*,2026-12-31T08:30:00\.000\+05:30/m,
    );
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n1,101,01-Mar-27,1/3/2027\n');
    await folder.imported('leave.csv', '--date-order', 'dmy');
    await folder.export('--out', 'out', 'leave');
    expect(folder.read('out/leave.csv')).to.include('1,101,2027-03-01,2027-03-01');
  });

  it('and warns of text that was decoded wrongly before, without showing that of a patient', async () => {
    const names = [
      'Dr. RÃ£o',
      'Dr. Zoë',
      'Dr. à¤°à¤¾à¤®',
      'Dr. राम',
      'Dr. Straße »X«',
      'Dr. M\ufffdller',
      'Dr. Oâ€™Neil',
    ];
    folder.write('doctors.csv', `${DOCTORS}${names.map((name, n) => `1,${300 + n},${name},\n`).join('')}`);
    folder.write(
      'appointments.csv',
      'centerid,AppointmentID,DoctorID,appdate,apptime,Name,contactnumber\n1,1,101,2027-01-18,10:15,RÃ£o,\n',
    );
    const warned =
      'looks as if the program that wrote the file had decoded it wrongly, such as "RÃ£o" for "Rão"; it is imported as it is.';
    const lines = await folder.imported('doctors.csv', 'appointments.csv', '--dry-run', '--errors', 'errors.csv');
    expect(lines.filter((line) => line.includes('looks'))).to.deep.equal([
      `doctors.csv, lines 5, 7, 10, 11, column DoctorName: ${warned}`,
      `appointments.csv, line 2, column Name: ${warned}`,
    ]);
    expect(folder.read('errors.csv').match(/^doctors\.csv,(?:5|7|10|11),DoctorName,"looks/gm)).to.have.length(4);
  });

  it('and reports an empty table, which changes nothing', async () => {
    folder.write('doctors.csv', 'centerid,DoctorID,DoctorName\n');
    folder.write('centers.csv', CENTERS);
    expect(await folder.imported('doctors.csv', 'centers.csv')).to.deep.equal([
      'Nothing changes.',
      'doctors.csv has no rows: nothing was imported from it.',
    ]);
  });
});
