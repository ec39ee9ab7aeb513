import { expect } from 'chai';
import { INT_MAX } from '../../../src/contract/parameter-values.ts';
import { commandFolder } from '../../support/commands/command-folder.ts';
import { ASHA, MEENA, standingHospital } from '../../support/commands/standing-hospital.ts';
import { BOOKING, type Hospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';

/** The greatest number that an import may bring. */
const MOST = 2_000_000_000;

describe('The last numbers', () => {
  const { folder, write, writeWith } = standingHospital();

  const imported = () => folder.imported('appointments.csv');
  const serving = (work: (hospital: Hospital) => Promise<unknown>) =>
    folder.inHospital(async (hospital) => void (await work(hospital)));
  const ravi = { ...BOOKING, DoctorID: 101, ...patient(2), Name: 'Ravi', app_time: '11:00' };

  it('that an import may bring leave some for the service to count, which can be exported and imported elsewhere', async () => {
    writeWith(',RescheduleCount', `1,${MOST - 1},101,2027-01-18,09:00,,${ASHA},,${MOST - 1},2000000000`);
    await imported();
    folder.write('feedback.csv', `FeedbackID,ipno,dept,ReceivedOn\n${MOST - 1},IP-1,ENT,2026-11-01\n`);
    await folder.imported('feedback.csv');
    await serving(async (hospital) => {
      expect(await hospital.book(ravi)).to.include({ AppointmentID: MOST, TokenNo: MOST });
      expect(await hospital.ok('FB_Push_Details', { ipno: '2', roomno: '1' })).to.include({ FeedbackID: MOST });
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

  for (const [column, row] of Object.entries({
    AppointmentID: `1,${MOST + 1},101,2027-01-18,09:00,,${ASHA},,1`,
    TokenNo: `1,1,101,2027-01-18,09:00,,${ASHA},,${MOST + 1}`,
  })) {
    it(`cannot be taken by the ${column} of an import`, async () => {
      write(row);
      expect((await folder.refused('appointments.csv'))[0]).to.equal(
        `appointments.csv, line 2, column ${column}: "2000000001"; expected a whole number from 1 to 2000000000.`,
      );
    });
  }

  it('cannot be taken by the FeedbackID of an import', async () => {
    folder.write('feedback.csv', `FeedbackID,ipno,dept,ReceivedOn\n${MOST + 1},IP-1,ENT,2026-11-01\n`);
    expect((await folder.refused('feedback.csv'))[0]).to.equal(
      'feedback.csv, line 2, column FeedbackID: "2000000001"; expected a whole number from 1 to 2000000000.',
    );
  });
});
