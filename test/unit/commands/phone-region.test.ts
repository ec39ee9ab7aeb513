import { expect } from 'chai';
import { commandFolder } from '../../support/commands/command-folder.ts';
import { perTest } from '../../support/prepared.ts';

const HEADER = 'centerid,AppointmentID,DoctorID,appdate,apptime,Name,contactnumber';
const RUBY =
  'Ruby Nolan, no registration number, +61491570006, center 2: appointment:2/6 (2019-02-11 10:00, doctor 201, Booked)';

describe('The PhoneRegion of a center', () => {
  const folder = perTest(async () => {
    const made = commandFolder();
    made.write('centers.csv', 'centerid,CenterName,TimeZone,PhoneRegion\n1,Kochi,,\n2,Perth,Australia/Perth,AU\n');
    made.write('doctors.csv', 'centerid,DoctorID,DoctorName\n1,101,Dr. Nair\n2,201,Dr. Webb\n');
    const rows = [
      '1,5,101,2019-02-11,10:00,Anju Thomas,98450 11111',
      '2,6,201,2019-02-11,10:00,Ruby Nolan,0491 570 006',
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
      .map((row) => /,(?:Anju Thomas|Ruby Nolan),.*?(\+?\d{9,})/.exec(row)?.[1])
      .filter((phone) => phone !== undefined);

  it('holds for the numbers of an import, with its file or in the database, and for what a plain export writes', async () => {
    await folder.export('--out', 'out', 'appointments');
    expect(phonesIn('out/appointments.csv')).to.deep.equal(['+919845011111', '+61491570006']);
    await folder.export('--out', 'plain', '--plain', 'appointments');
    expect(phonesIn('plain/appointments.csv')).to.deep.equal(['9845011111', '0491570006']);
    expect(await folder.imported('appointments.csv')).to.deep.equal(['Nothing changes.']);
  });

  it('lets tpws patient find a number as people at any of the centers write it', async () => {
    const find = async (phone: string) => (await folder.patient('find', '--phone', phone)).output;
    expect(await find('0491-570006')).to.deep.equal([RUBY]);
    expect(await find('+61 491 570 006')).to.deep.equal([RUBY]);
    expect(await find('98450 11111')).to.have.length(1);
    expect((await folder.patient('find', '--phone', '12')).errors).to.have.length(1);
  });
});
