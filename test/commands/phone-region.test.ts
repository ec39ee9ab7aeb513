import { expect } from 'chai';
import { commandFolder } from '../support/commands/command-folder.ts';
import { perTest } from '../support/prepared.ts';

const HEADER = 'centerid,AppointmentID,DoctorID,appdate,apptime,Name,contactnumber';
const OMAR = 'Omar Haddad, no registration number, +971501234567, center 2: appointment:2/6';

describe('The PhoneRegion of a center', () => {
  const folder = perTest(async () => {
    const made = commandFolder();
    made.write('centers.csv', 'centerid,CenterName,TimeZone,PhoneRegion\n1,Kochi,,\n2,Sharjah,Asia/Dubai,AE\n');
    made.write('doctors.csv', 'centerid,DoctorID,DoctorName\n1,101,Dr. Nair\n2,201,Dr. Salem\n');
    const rows = [
      '1,5,101,2019-02-11,10:00,Anju Thomas,98460 11111',
      '2,6,201,2019-02-11,10:00,Omar Haddad,050 123 4567',
    ];
    made.write('appointments.csv', `${[HEADER, ...rows].join('\n')}\n`);
    await made.imported('centers.csv', 'doctors.csv', 'appointments.csv');
    return made;
  });
  const phonesIn = (file: string) =>
    folder
      .read(file)
      .trimEnd()
      .split('\r\n')
      .map((row) => /,(?:Anju Thomas|Omar Haddad),.*?(\+?\d{9,})/.exec(row)?.[1])
      .filter((phone) => phone !== undefined);

  it('holds for the numbers of an import, with its file or in the database, and for what a plain export writes', async () => {
    await folder.export('--out', 'out', 'appointments');
    expect(phonesIn('out/appointments.csv')).to.deep.equal(['+919846011111', '+971501234567']);
    await folder.export('--out', 'plain', '--plain', 'appointments');
    expect(phonesIn('plain/appointments.csv')).to.deep.equal(['9846011111', '0501234567']);
    expect(await folder.imported('appointments.csv')).to.deep.equal(['Nothing changes.']);
  });

  it('lets tpws patient find a number as people at any of the centers write it', async () => {
    const find = async (phone: string) => (await folder.patient('find', '--phone', phone)).output;
    expect(await find('050-1234567')).to.deep.equal([OMAR]);
    expect(await find('+971 50 123 4567')).to.deep.equal([OMAR]);
    expect(await find('98460 11111')).to.have.length(1);
    expect((await folder.patient('find', '--phone', '12')).errors).to.have.length(1);
  });
});
