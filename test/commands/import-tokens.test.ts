import { expect } from 'chai';
import type { CommandFolder } from '../support/commands/command-folder.ts';
import { ASHA, MEENA, RAVI, type StandingHospital, standingHospital } from '../support/commands/standing-hospital.ts';
import { BOOKING } from '../support/database/hospital.ts';

const ALLOW = '--allow-repeated-tokens';

describe('The import of appointments with duplicate tokens', () => {
  let folder: CommandFolder;
  let write: StandingHospital['write'];
  beforeEach(async () => {
    ({ folder, write } = await standingHospital());
  });
  afterEach(() => folder.dispose());

  const imported = (...flags: readonly string[]) => folder.imported('appointments.csv', ...flags);
  const refused = (...flags: readonly string[]) => folder.refused('appointments.csv', ...flags);
  const tokens = async (...ids: readonly number[]) => {
    const rows = await folder.store((store) => store.read(({ imports }) => imports.appointments(1, ids)));
    return new Map(rows.map(({ id, tokenNo }) => [id, tokenNo]));
  };

  it('is refused with the line, for duplicates within a file and in the database', async () => {
    write(
      `1,1,101,2027-01-18,09:00,,${ASHA},,4`,
      `1,2,101,2027-01-18,12:00,,${RAVI},,4`,
      `1,3,101,2027-01-18,12:30,,${MEENA},,4`,
    );
    expect(await refused()).to.deep.equal([
      'appointments.csv, lines 3, 4, column TokenNo: "4" is also the token of appointments.csv, line 2, on Monday 18 January 2027 with doctor 101; expected another one, or --allow-repeated-tokens.',
      'Nothing was imported.',
    ]);
    // At the other end of the day.
    write(`1,1,101,2027-01-18,00:00,,${ASHA},,4`);
    await imported();
    write(`1,2,101,2027-01-18,23:45,,${RAVI},,4`);
    expect((await refused())[0]).to.include('"4" is also the token of appointment 1 of the database');
    write(`1,2,101,2027-01-18,23:45,,${RAVI},,5`);
    await imported();
    write(`1,3,101,2027-01-18,12:00,,${MEENA},,5`);
    expect((await refused())[0]).to.include('"5" is also the token of appointment 2 of the database');
  });

  it('succeeds with --allow-repeated-tokens, reports the number, and later bookings get higher tokens', async () => {
    write(
      `1,1,101,2027-01-18,09:00,,${ASHA},,4`,
      `1,2,101,2027-01-18,12:00,,${RAVI},,4`,
      `1,3,101,2027-01-18,12:30,,${MEENA},,`,
    );
    expect((await imported('--dry-run', ALLOW))[1]).to.equal(
      "1 appointment has the same token as another one in the doctor's day.",
    );
    expect((await imported(ALLOW)).slice(0, 2)).to.deep.equal([
      'appointments: 3 added',
      "1 appointment has the same token as another one in the doctor's day.",
    ]);
    expect(await tokens(1, 2, 3)).to.deep.equal(
      new Map([
        [1, 4],
        [2, 4],
        [3, 5],
      ]),
    );
    expect(await imported()).to.deep.equal(['Nothing changes.']);
    await folder.inHospital(async (hospital) => {
      expect(await hospital.book({ ...BOOKING, DoctorID: 101, RegistrationNumber: 'R-9', Name: 'Uma' })).to.include({
        TokenNo: 6,
      });
    });
  });

  it('reports no duplicates across days, doctors or centers, nor with appointments that are over or cancelled', async () => {
    write(
      `1,1,101,2027-01-18,09:00,,${ASHA},,4`,
      `1,2,101,2027-01-19,09:00,,${ASHA},,4`,
      `1,3,102,2027-01-18,12:00,,${ASHA},,4`,
      `2,4,201,2027-01-18,12:00,,${ASHA},,4`,
      `1,5,101,2027-01-18,12:00,,${RAVI},Cancelled,4`,
      `1,6,101,2027-01-18,12:00,,${RAVI},Completed,4`,
      `1,7,101,2027-01-18,12:00,,${RAVI},NoShow,4`,
    );
    expect((await imported())[0]).to.equal('appointments: 7 added');
  });
});
