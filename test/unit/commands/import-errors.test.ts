import { rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { importCommand } from '../../../src/commands/import-command.ts';
import { filledFolder } from '../../support/commands/command-folder.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { ON_POSTGRES } from '../../support/database/test-database.ts';
import { perTest } from '../../support/prepared.ts';

const NOTHING = 'Nothing was imported.';
const HOURS = 'centerid,DoctorID,Days,From,To,ValidFrom,ValidTo';

describe('The import refuses', () => {
  const folder = perTest(filledFolder);

  /** Imports one file and returns the messages about it. */
  async function errorsOf(file: string, content: string | Uint8Array): Promise<readonly string[]> {
    folder.write(file, content);
    const errors = await folder.refused(file);
    expect(errors.at(-1)).to.equal(NOTHING);
    return errors.slice(0, -1);
  }

  it('wrong values, all at once, with the file, line, column and what is expected', async () => {
    folder.write('centers.csv', 'centerid,CenterName,TimeZone\n0,Bengaluru,\n2,,Asia/Mysuru\n');
    folder.write(
      'doctors.csv',
      'centerid,DoctorID,DoctorName,SlotMinutes,Capacity,Active\n1,2147483648,Dr. A,4,0,perhaps\n\n1,101,"Dr.\nB",241,1,yes\n',
    );
    folder.write(
      'templates.csv',
      `tempid,DltTemplateId,Text\n1,1.10716E+18,"a\nb"\n2,12345678901234567890,${'x'.repeat(2001)}\n`,
    );
    expect(await folder.refused('centers.csv', 'doctors.csv', 'templates.csv')).to.deep.equal([
      'centers.csv, line 2, column centerid: "0"; expected a whole number from 1 to 2147483647.',
      'centers.csv, line 3, column CenterName: ""; expected one line of 1 to 200 characters.',
      'centers.csv, line 3, column TimeZone: "Asia/Mysuru"; expected an IANA time zone such as Asia/Kolkata.',
      'doctors.csv, line 2, column DoctorID: "2147483648"; expected a whole number from 1 to 2147483647.',
      'doctors.csv, line 2, column SlotMinutes: "4"; expected a whole number from 5 to 240.',
      'doctors.csv, line 2, column Capacity: "0"; expected a whole number from 1 to 1000.',
      'doctors.csv, line 2, column Active: "perhaps"; expected yes or no.',
      'doctors.csv, line 4, column DoctorName: "Dr.\ufffdB"; expected one line of 1 to 200 characters.',
      'doctors.csv, line 4, column SlotMinutes: "241"; expected a whole number from 5 to 240.',
      'templates.csv, line 2, column DltTemplateId: "1.10716E+18"; expected 1 to 19 digits; in a spreadsheet, format the column as text, or the last digits are lost.',
      'templates.csv, line 4, column DltTemplateId: "12345678901234567890"; expected 1 to 19 digits; in a spreadsheet, format the column as text, or the last digits are lost.',
      `templates.csv, line 4, column Text: "${'x'.repeat(64)}…"; expected 1 to 2000 characters.`,
      NOTHING,
    ]);
  });

  it('mistakes in the order of the files and their lines, whichever check finds them', async () => {
    const placesOf = async () =>
      (await folder.refused('doctors.csv', 'centers.csv')).map((text) => text.split(', column')[0]);
    folder.write('doctors.csv', 'centerid,DoctorID,DoctorName,Capacity\n9,101,Dr. A,1\n1,102,Dr. B,0\n');
    folder.write('centers.csv', 'centerid,CenterName\n5,Hubballi\n5,Hubballi\n0,Mandya\n');
    expect(await placesOf()).to.deep.equal(['doctors.csv, line 3', 'centers.csv, line 4', NOTHING]);
    // Rows are compared with each other and with the database once each of them is right by itself.
    folder.write('doctors.csv', 'centerid,DoctorID,DoctorName,Capacity\n9,101,Dr. A,1\n1,102,Dr. B,1\n');
    folder.write('centers.csv', 'centerid,CenterName\n5,Hubballi\n5,Hubballi\n6,Mandya\n');
    expect(await placesOf()).to.deep.equal(['doctors.csv, line 2', 'centers.csv, line 3', NOTHING]);
  });

  it('what looks like a variable of a template and is none', async () => {
    const texts = ['{#VAR#} {#var#}', '{#var}', '##var##', '{#name#}', '{#cbn#} or {#urlott#}'];
    const rows = texts.map((text, n) => `${n + 1},Call ${text}\n`).join('');
    const errors = await errorsOf('templates.csv', `tempid,Text\n${rows}`);
    expect(errors.map((error) => error.split(', {#alphanumeric')[0])).to.deep.equal(
      ['{#VAR#}', '{#var}', '##var##', '{#name#}'].map(
        (wrong, n) =>
          `templates.csv, line ${n + 2}, column Text: "Call ${texts[n]}" contains ${wrong}, which is not a variable; expected one of {#var#}`,
      ),
    );
  });

  it('characters that no answer can contain', async () => {
    expect(await errorsOf('centers.csv', 'centerid,CenterName\n1,a\u0007b\n2,\ufffe\n')).to.have.length(2);
  });

  for (const [days, from, to, what] of [
    ['Mon-Sun-Tue', '09:00', '10:00', 'Days: "Mon-Sun-Tue"; expected days of the week'],
    ['01-Jun', '09:00', '10:00', 'Days: "01-Jun"; expected days of the week'],
    ['8', '09:00', '10:00', 'Days: "8"; expected days of the week'],
    ['Mon', '9', '10:00', 'From: "9"; expected a time of day'],
    ['Mon', '09:60', '10:00', 'From: "09:60"; expected a time of day'],
    ['Mon', '09:00:30', '10:00', 'From: "09:00:30"; expected a time of day'],
    ['Mon', '09:00', '24:01', 'To: "24:01"; expected a time of day'],
    ['Mon', '10:00', '10:00', 'To: "10:00" is not after From'],
    ['Mon', '22:00', '02:00', 'To: "02:00" is not after From'],
    ['', '09:00', '10:00', 'Days: "" is empty; expected days of the week'],
    ['Mon', '', '10:00', 'From: "" is empty; expected a time of day'],
    ['Mon', '09:00', '', 'To: "" is empty; expected a time of day'],
  ]) {
    it(`opening hours on "${days}" from "${from}" to "${to}"`, async () => {
      const [error, ...more] = await errorsOf('opening-hours.csv', `${HOURS}\n1,101,${days},${from},${to},,\n`);
      expect(error).to.include(`opening-hours.csv, line 2, column ${what}`);
      expect(more).to.deep.equal([]);
    });
  }

  it('ambiguous days, and days that do not exist', async () => {
    const rows = ['18/01/2027,', '2027-02-30,', '2027-01-18 10:00,', '2027-02-02,2027-02-01'];
    expect(
      await errorsOf('opening-hours.csv', `${HOURS}\n${rows.map((row) => `1,101,Mon,09:00,10:00,${row}\n`).join('')}`),
    ).to.deep.equal([
      'opening-hours.csv, line 2, column ValidFrom: "18/01/2027"; expected a day such as 2027-01-18 or 18-Jan-2027.',
      'opening-hours.csv, line 3, column ValidFrom: "2027-02-30"; expected a day such as 2027-01-18 or 18-Jan-2027.',
      'opening-hours.csv, line 4, column ValidFrom: "2027-01-18 10:00"; expected a day such as 2027-01-18 or 18-Jan-2027.',
      'opening-hours.csv, line 5, column ValidTo: "2027-02-01" is before ValidFrom; expected that day or a later one.',
    ]);
  });

  it('leave that ends before it begins, and leave with only one of its times', async () => {
    const rows = [
      '2027-01-26,2027-01-25',
      '2027-01-25 10:00,2027-01-25 10:00',
      '2027-01-25,',
      ',2027-01-25',
      '2027-01-25T10:00Z,2027-01-26',
    ];
    const moment = 'expected a day such as 2027-01-18 or 18-Jan-2027, or a day and a time such as 2027-01-18 17:00';
    expect(
      await errorsOf('leave.csv', `centerid,DoctorID,From,To\n${rows.map((row) => `1,101,${row}\n`).join('')}`),
    ).to.deep.equal([
      'leave.csv, line 2, column To: "2027-01-25" is not after From; expected a later time.',
      'leave.csv, line 3, column To: "2027-01-25 10:00" is not after From; expected a later time.',
      `leave.csv, line 4, column To: "" is empty; ${moment}.`,
      `leave.csv, line 5, column From: "" is empty; ${moment}.`,
      `leave.csv, line 6, column From: "2027-01-25T10:00Z"; ${moment}.`,
    ]);
  });

  it('overlapping hours, unless they are on different days', async () => {
    folder.write(
      'opening-hours.csv',
      [
        HOURS,
        '1,101,Mon-Wed,09:00,13:00,,',
        '1,101,Wed-Fri,12:00,14:00,,',
        '1,101,Mon,13:00,14:00,,',
        '1,102,Mon,12:00,14:00,,',
        '1,102,Mon,12:00,14:00,,2026-12-31',
        '2,201,Mon,12:00,14:00,,2026-12-31',
        '2,201,Mon,12:00,14:00,2027-01-01,',
        '',
      ].join('\n'),
    );
    expect(await folder.refused('opening-hours.csv')).to.deep.equal([
      'opening-hours.csv, line 3, column From: overlaps opening-hours.csv, line 2 on Wed, for doctor 101; expected ranges that do not overlap.',
      'opening-hours.csv, line 6, column From: overlaps opening-hours.csv, line 5 on Mon, for doctor 102; expected ranges that do not overlap.',
      NOTHING,
    ]);
  });

  it('leave of a center that does not exist, and of one that has none and some', async () => {
    const leave = '9,,2027-01-25,2027-01-26\n1,,,\n1,,2027-01-26,2027-01-26\n';
    expect(await errorsOf('leave.csv', `centerid,DoctorID,From,To\n${leave}`)).to.deep.equal([
      'leave.csv, line 2, column centerid: "9" is not a center of the database or of these files; expected one that is.',
      'leave.csv, line 3: says that center 1 has none; expected no other such row, as in leave.csv, line 4.',
    ]);
  });

  it('a row without hours beside a row with hours for the same day', async () => {
    expect(await errorsOf('opening-hours.csv', `${HOURS}\n1,101,Mon,09:00,10:00,,\n1,101,,,,,\n`)).to.deep.equal([
      'opening-hours.csv, line 3: says that doctor 101 has none; expected no other such row, as in opening-hours.csv, line 2.',
    ]);
  });

  it('duplicates, and references to what does not exist', async () => {
    folder.write('centers.csv', 'centerid,CenterName\n1,A\n1,B\n');
    folder.write('doctors.csv', 'centerid,DoctorID,DoctorName\n1,101,Dr. A\n2,101,Dr. A\n9,101,Dr. A\n');
    folder.write('more.csv', 'centerid,DoctorID,DoctorName\n1,101,Dr. B\n');
    folder.write('templates.csv', 'tempid,Text\n7,a\n7,b\n');
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n1,201,2027-01-25,2027-01-25\n');
    expect(await folder.refused('centers.csv', 'doctors.csv', 'more.csv', 'templates.csv', 'leave.csv')).to.deep.equal([
      'centers.csv, line 3, column centerid: "1" is already given in centers.csv, line 2; expected it once.',
      'doctors.csv, line 4, column centerid: "9" is not a center of the database or of these files; expected one that is.',
      'more.csv, line 2, column DoctorID: "101" is already given in doctors.csv, line 2; expected it once.',
      'templates.csv, line 3, column tempid: "7" is already given in templates.csv, line 2; expected it once.',
      'leave.csv, line 2, column DoctorID: "201" is not a doctor of center 1 in the database or in these files; expected one that is.',
      NOTHING,
    ]);
  });

  it('unknown, repeated and missing columns', async () => {
    const expected =
      'expected centerid, DoctorID, DoctorName, Department, Specialization, Qualification, SlotMinutes, Capacity, Active';
    expect(await errorsOf('doctors.csv', 'centerid,DoctorNam,,DoctorName,doctor name\n')).to.deep.equal([
      `doctors.csv, line 1, column DoctorNam: is unknown; ${expected}.`,
      `doctors.csv, line 1: a column has no title; ${expected}.`,
      `doctors.csv, line 1, column doctor name: appears twice; ${expected}.`,
      `doctors.csv, line 1, column DoctorID: is missing; ${expected}.`,
    ]);
    expect(await errorsOf('list.csv', 'a,b\n1,2\n')).to.deep.equal([
      'list.csv, line 1: its header belongs to no table; expected the columns of one of centers, doctors, opening-hours, leave, templates, appointments, feedback, or its name as the name of the file.',
    ]);
  });

  const UNQUOTED =
    'a quote is not closed, or does not enclose the whole cell; expected the whole cell in quotes, and quotes within it doubled.';
  const TITLES = 'expected centerid, CenterName, TimeZone, PhoneRegion.';
  const cells = (found: number, expected: number) =>
    `there are ${found} cells; expected ${expected}, as in the header, including empty ones.`;
  for (const [title, text, error] of [
    ['more cells than the header has', 'centerid,CenterName\n1,a\n2,b,c\n', `, line 3: ${cells(3, 2)}`],
    ['a quote that is not closed', 'centerid,CenterName\n1,a\n2,"b\n3,c\n', `, line 3: ${UNQUOTED}`],
    [
      'an unclosed quote that a later cell seems to close',
      'centerid,CenterName\n1,"a ""b"" c"\n2,"b\n3,"c"\n',
      `, line 3: ${UNQUOTED}`,
    ],
    ['a row with missing cells', 'centerid,CenterName,TimeZone\n1,a,\n2,b\n', `, line 3: ${cells(2, 3)}`],
    ['a quote inside a cell', 'centerid,CenterName\n1,"a"\n2,b"c\n', `, line 3: ${UNQUOTED}`],
    ['text after a quote', 'centerid,CenterName\n1,"a"b\n', `, line 2: ${UNQUOTED}`],
    [
      'a title that would change what a terminal shows',
      'centerid,\x1b[2J\x07Name\n1,a\n',
      `, line 1, column \ufffd[2J\ufffdName: is unknown; ${TITLES}`,
    ],
    [
      '200,000 columns',
      `centerid,CenterName${','.repeat(200_000)}x\n1,a\n`,
      `, line 1: a column has no title; ${TITLES}`,
    ],
    ['an empty file', '', ': is empty; expected a header and rows.'],
    ['a file of empty lines', '\n'.repeat(300_000), ': is empty; expected a header and rows.'],
    [
      'text whose UTF-8 is damaged',
      Buffer.from('centerid,CenterName\n1,\u00c3\u00bc\n2,M\u00fcnchen\n', 'latin1'),
      ', line 3: is not UTF-8 text; expected a file saved as "CSV UTF-8".',
    ],
  ] as const) {
    it(title, async () => expect((await errorsOf('centers.csv', text))[0]).to.equal(`centers.csv${error}`));
  }

  it('files that do not exist', async () => {
    const [missing, ...others] = await folder.refused('nowhere.csv', '.');
    expect(missing).to.match(/^nowhere\.csv: cannot be read \(ENOENT: no such file or directory, /);
    expect(others).to.deep.equal(['.: cannot be read (EISDIR: illegal operation on a directory, read).', NOTHING]);
  });

  it('a mistake repeated in many rows, which it reports once with all their lines', async () => {
    const zones = Array.from({ length: 40 }, () => '8,x,300');
    const rows = ['0,x,', '0,x,', '0,x,', '7,x,', '0,x,', ...zones];
    expect(await errorsOf('centers.csv', `centerid,CenterName,TimeZone\n${rows.join('\n')}\n`)).to.deep.equal([
      'centers.csv, lines 2, 3, 4, 6, column centerid: "0"; expected a whole number from 1 to 2147483647.',
      'centers.csv, lines 7, 8, 9, 10, 11, 12, 13, 14 and 32 more, column TimeZone: "300"; expected an IANA time zone such as Asia/Kolkata.',
    ]);
  });

  it('many mistakes, and reports a readable number of them and the count of the rest', async () => {
    const time = (minute: number) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;
    const rows = Array.from({ length: 251 }, (_, index) => `1,101,Mon,${time(index * 5)},${time(index * 5 + 10)},,\n`);
    folder.write('opening-hours.csv', `${HOURS}\n${rows.join('')}`);
    const errors = await folder.refused('opening-hours.csv');
    expect(errors).to.have.length(102);
    expect(errors.at(-2)).to.equal('… and 150 more.');
  });

  it('a database in memory, invalid settings, and unknown options', async () => {
    for (const [expected, environment, args, text] of [
      [1, { DATABASE_URL: 'sqlite::memory:' }, ['centers.csv'], 'DATABASE_URL names a database in memory'],
      [1, { TIME_ZONE: 'Mars' }, ['centers.csv'], 'TIME_ZONE=Mars: expected an IANA time zone'],
      [2, {}, ['--wet-run'], "unknown option '--wet-run'"],
      [2, {}, [], "missing required argument 'files'"],
    ] as const) {
      const { code, errors } = await runHere(importCommand, args, { environment, folder: folder.path });
      expect(code).to.equal(expected);
      expect(errors).to.include(text);
    }
  });

  // On a server, no such file exists.
  (ON_POSTGRES ? it.skip : it)('a file that is no database', async () => {
    rmSync(folder.databaseFile);
    writeFileSync(folder.databaseFile, 'no database'.repeat(1000));
    const [error] = await folder.refused('centers.csv');
    expect(error).to.include('The database cannot be used: file is not a database');
  });
});
