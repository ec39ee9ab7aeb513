import { expect } from 'chai';
import { outputOf } from '../../support/commands/command-folder.ts';
import { standingHospital } from '../../support/commands/standing-hospital.ts';

describe('The export for version 1.0.0', () => {
  const { folder, write } = standingHospital();

  const exported = async () => outputOf(await folder.export('--for', '1.0.0', '--out', 'out'));
  const lines = (name: string) => folder.read(`out/${name}.csv`).trimEnd().split('\r\n');

  it('counts what no file contains', async () => {
    await folder.inHospital(async ({ ok }) => {
      await ok('Sent_SMS', { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 1 });
    });
    expect((await exported()).at(-1)).to.match(
      /^In no file, so not in version 1\.0\.0: \d+ rows? of the audit trail, 1 text message that waits, 0 other ones, and 0 Idempotency-Keys\.$/,
    );
  });

  it('leaves out columns that it does not know, and makes the leave of a center that of each doctor', async () => {
    folder.write('centers.csv', 'centerid,CenterName,PhoneRegion\n1,Bengaluru,US\n');
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n1,,2027-01-26,2027-01-26\n1,101,2027-01-25,2027-01-27\n');
    await folder.imported('centers.csv', 'leave.csv');
    await exported();
    expect(lines('centers')[0]).to.equal('centerid,CenterName,TimeZone');
    expect(lines('leave').slice(1)).to.have.members([
      '1,101,2027-01-25,2027-01-27',
      '1,102,2027-01-26,2027-01-26',
      '1,103,2027-01-26,2027-01-26',
    ]);
    expect(lines('changes').slice(1)).to.deep.equal([
      'center:1,PhoneRegion,is left out',
      'center:1,DoctorID,is a row for each doctor',
    ]);
  });

  it('writes what it reads of a patient, names each record that it changes, and puts those without a phone aside', async () => {
    write(
      '1,1,101,2027-01-18,10:15,,,The Right Honourable Mrs.,Asha Pai,Lady,2 weeks 3 days,,9845012345,none at all,2,1',
      '1,2,101,2027-01-18,11:15,,,Mr.,Ravi Kumar,M,34Y,,9845012346,ravi@example.org,2,2',
      '1,3,101,2027-01-18,12:15,,,,Meena Iyer,F,long ago,,,,2,3',
    );
    await folder.imported('appointments.csv');
    const found = await exported();
    expect(found.map((line) => line.replace(/.*\//, ''))).to.include.members([
      'appointments.csv: 2 rows',
      'appointments-left-out.csv: 1 row',
    ]);
    const [, asha = '', ravi = ''] = lines('appointments');
    expect(asha).to.include(",The Right Honourable,Asha Pai,U,17D,,'+919845012345,,Booked,");
    expect(ravi).to.include(",Mr.,Ravi Kumar,M,34Y,,'+919845012346,ravi@example.org,Booked,");
    expect(lines('appointments-left-out')[1]).to.include(',,Meena Iyer,F,,,,,Booked,3,');
    const changes = lines('changes').map((line) => line.split(',').slice(0, 2).join(' '));
    expect(changes.slice(1)).to.deep.equal([
      'appointment:1/1 title',
      'appointment:1/1 Sex',
      'appointment:1/1 Age',
      'appointment:1/1 email',
      'appointment:1/3 contactnumber',
      'appointment:1/3 Age',
    ]);
  });

  it('cuts the longer texts of feedback', async () => {
    folder.write('feedback.csv', `FeedbackID,ipno,dept,ReceivedOn\n3,IP-1,${'d'.repeat(150)},2026-11-01 10:00\n`);
    await folder.imported('feedback.csv');
    await exported();
    expect(lines('feedback')[1]).to.include(`,${'d'.repeat(100)},`);
    expect(lines('changes')[1]).to.include('feedback:3,dept,');
  });

  it('writes everything, and accepts no other choice', async () => {
    for (const choice of ['doctors', '--plain', '--doctor=1', '--since=2026-11-01T00:00:00Z']) {
      const { code, errors } = await folder.export('--for', '1.0.0', choice);
      expect(code, choice).to.equal(2);
      expect(errors.join(), choice).to.include('--for writes everything; expected no other choice beside it.');
    }
  });
});
