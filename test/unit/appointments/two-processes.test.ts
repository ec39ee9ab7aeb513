import { expect } from 'chai';
import { addDoctor, BOOKING, type Hospital, openHospital, present } from '../../support/database/hospital.ts';
import { newTestDatabase } from '../../support/database/open-test-store.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

describe('two processes on one database', () => {
  const database = perTest(newTestDatabase);
  const one = perTest(async () => openHospital({}, await database.open()));
  const other = perTest(async () => openHospital({}, await database.open()));

  /** Calls both processes at the same moment, each half of the times; returns the ResultCodes in order. */
  async function codesOf(calls: number, given: (n: number) => object): Promise<number[]> {
    const outcomes = await Promise.all(
      Array.from({ length: calls }, (_, n) => (n % 2 ? one : other).call('Fetch_Details', { ...BOOKING, ...given(n) })),
    );
    return outcomes.map(({ record }) => record.ResultCode as number).sort((a, b) => a - b);
  }

  it('book a slot only once', async () => {
    expect(await codesOf(20, (n) => patient(n))).to.deep.equal([0, ...Array(19).fill(14)]);
  });

  it('make one appointment from one booking', async () => {
    expect(await codesOf(20, () => ({}))).to.deep.equal([0, ...Array(19).fill(1)]);
  });

  it('book a patient with only one doctor at a time', async () => {
    expect(await codesOf(8, (n) => ({ DoctorID: 102 + n }))).to.deep.equal([0, ...Array(7).fill(17)]);
  });

  it('book three patients at capacity 3', async () => {
    await addDoctor(one.store, { capacity: 3 });
    const codes = await codesOf(12, (n) => ({ DoctorID: 900, ...patient(n) }));
    expect(codes).to.deep.equal([0, 0, 0, ...Array(9).fill(14)]);
  });

  it('let one of many appointments move into a slot, and leave the others unchanged', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 8; n++) {
      const { AppointmentID } = await one.book({ ...patient(n), app_time: `1${n}:00` });
      ids.push(AppointmentID as number);
    }
    const moves = await Promise.all(
      ids.map((AppointmentID, n) =>
        (n % 2 ? one : other).call('Appointment_Status_Updates', {
          AppointmentID,
          type: 1,
          appdate: '2027-01-18',
          apptime: '20:00',
          centerid: 1,
        }),
      ),
    );
    expect(moves.filter(({ refused }) => !refused)).to.have.length(1);
    const starts = (await other.dayOf(102, '2027-01-18')).map(({ apptime }) => apptime);
    expect(new Set(starts)).to.have.property('size', 8);
  });

  it('see a doctor that the other one added', async () => {
    const doctorsOf = async (hospital: Hospital) => {
      const { Doctors } = present(await hospital.ok('GetDoctor', { centerid: 1 }));
      return (Doctors as unknown as { Doctor: object[] }).Doctor.length;
    };
    expect([await doctorsOf(one), await doctorsOf(other)]).to.deep.equal([10, 10]);
    await addDoctor(one.store);
    expect([await doctorsOf(one), await doctorsOf(other)]).to.deep.equal([11, 11]);
    await other.book({ DoctorID: 900 });
    expect([await doctorsOf(one), await doctorsOf(other)]).to.deep.equal([11, 11]);
  });
});
