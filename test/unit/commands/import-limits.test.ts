import { expect } from 'chai';
import { INT_MAX } from '../../../src/contract/parameter-values.ts';
import { commandFolder } from '../../support/commands/command-folder.ts';
import { ASHA, MEENA, standingHospital } from '../../support/commands/standing-hospital.ts';
import { BOOKING, type Hospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';

describe('The last numbers', () => {
  const { folder, write, writeWith } = standingHospital();

  const imported = () => folder.imported('appointments.csv');
  const serving = (work: (hospital: Hospital) => Promise<unknown>) =>
    folder.inHospital(async (hospital) => void (await work(hospital)));
  const ravi = { ...BOOKING, DoctorID: 101, ...patient(2), Name: 'Ravi', app_time: '11:00' };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      () => 'failed',
    );

  it('that the service has given out can be exported and imported elsewhere', async () => {
    writeWith(',RescheduleCount', `1,${INT_MAX - 1},101,2027-01-18,09:00,,${ASHA},,${INT_MAX - 1},2000000000`);
    await imported();
    folder.write('feedback.csv', `FeedbackID,ipno,dept,ReceivedOn\n${INT_MAX - 1},IP-1,ENT,2026-11-01\n`);
    await folder.imported('feedback.csv');
    await serving(async (hospital) => {
      expect(await hospital.book(ravi)).to.include({ AppointmentID: INT_MAX, TokenNo: INT_MAX });
      expect(await hospital.ok('FB_Push_Details', { ipno: '2', roomno: '1' })).to.include({ FeedbackID: INT_MAX });
    });
    const names = ['centers', 'doctors', 'appointments', 'feedback'].map((name) => `${name}.csv`);
    await folder.export('--out', 'out');
    const other = commandFolder();
    try {
      for (const name of names) other.write(name, folder.read(`out/${name}`));
      await other.imported(...names);
      await other.export('--out', 'out');
      for (const name of names) expect(other.read(`out/${name}`), name).to.equal(folder.read(`out/${name}`));
    } finally {
      other.dispose();
    }
  });

  it('of moves leave some for the moves to come', async () => {
    writeWith(',RescheduleCount', `1,1,101,2027-01-18,09:00,,${ASHA},,1,2000000000`);
    await imported();
    await serving(async (hospital) => {
      await hospital.ok('Appointment_Status_Updates', {
        ...{ AppointmentID: 1, centerid: 1, type: 1 },
        ...{ appdate: '2027-01-18', apptime: '10:00' },
      });
      const { RescheduleCount } = await hospital.ok('Appointment_Status', { AppointmentID: 1, centerid: 1 });
      expect(RescheduleCount).to.equal(2_000_000_001);
    });
    writeWith(',RescheduleCount', `1,2,101,2027-01-18,09:00,,${MEENA},,2,${INT_MAX}`);
    expect((await folder.refused('appointments.csv'))[0]).to.equal(
      'appointments.csv, line 2, column RescheduleCount: "2147483647"; expected a whole number from 0 to 2000000000.',
    );
  });

  it('are not followed by a number that a caller could not read', async () => {
    write(`1,${INT_MAX - 1},101,2027-01-18,09:00,,${ASHA},,${INT_MAX}`);
    folder.write('feedback.csv', `FeedbackID,ipno,dept,ReceivedOn\n${INT_MAX},IP-1,ENT,2026-11-01\n`);
    await folder.imported('appointments.csv', 'feedback.csv');
    await serving(async (hospital) => {
      expect(await failure(hospital.book(ravi)), 'a token').to.equal('failed');
      // PostgreSQL does not reuse the number of a failed call.
      await failure(hospital.book({ ...ravi, app_date: '2027-01-25' }));
      expect(await failure(hospital.book({ ...ravi, app_date: '2027-02-01' })), 'an AppointmentID').to.equal('failed');
      expect(await failure(hospital.ok('FB_Push_Details', { ipno: '2', roomno: '1' })), 'feedback').to.equal('failed');
      expect((await hospital.dayOf(101, '2027-02-01')).length).to.equal(0);
    });
  });

  it('for tokens of a doctor’s day leave none for a row without a token', async () => {
    write(`1,1,101,2027-01-18,09:00,,${ASHA},,${INT_MAX}`, `1,2,101,2027-01-18,10:00,,${MEENA},,`);
    expect(await folder.refused('appointments.csv')).to.deep.equal([
      'appointments.csv, line 3, column TokenNo: is empty, but doctor 101 has no token left on Monday 18 January 2027; expected lower tokens on that day.',
      'Nothing was imported.',
    ]);
  });
});
