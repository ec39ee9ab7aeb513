import { expect } from 'chai';
import { writeAppointment } from '../../src/operations/appointments/write-appointment.ts';
import { type Store, StoreConflict } from '../../src/store/store.ts';
import { Refusal } from '../../src/vocabulary/result-codes.ts';
import { failure } from '../store/store-suite.ts';

/** A store whose writes fail with these errors, one after the other, and then succeed. */
function storeThat(...failures: readonly Error[]) {
  let writes = 0;
  const store = {
    write: async (work: () => Promise<unknown>) => {
      const failure = failures[writes++];
      if (failure !== undefined) throw failure;
      return work();
    },
  } as unknown as Store;
  return { store, writes: () => writes };
}

const conflict = (kind: StoreConflict['kind'], isFinal = false) =>
  new StoreConflict(kind, new Error('constraint'), isFinal);
const refusal = async (promise: Promise<unknown>) => (await failure(promise)) as unknown as Refusal;

describe('writeAppointment', () => {
  const BOOKED = { ResultCode: 0 };
  const work = async () => BOOKED;

  it('tries again if the database reports a conflict, which may produce another answer', async () => {
    const { store, writes } = storeThat(conflict('seat-taken'));
    expect(await writeAppointment(store, 'app_date and app_time', [], work, () => null)).to.equal(BOOKED);
    expect(writes()).to.equal(2);
  });

  for (const [kind, resultCode] of [
    ['seat-taken', 14],
    ['patient-overlap', 17],
  ] as const) {
    it(`refuses with ${resultCode} if the database reports ${kind} twice, and names the parameters`, async () => {
      const { store, writes } = storeThat(conflict(kind), conflict(kind));
      const error = await refusal(writeAppointment(store, 'app_date and app_time', [], work, () => null));
      expect(error).to.be.instanceOf(Refusal);
      expect(error.resultCode).to.equal(resultCode);
      expect(error.message).to.contain('app_date and app_time');
      expect(writes()).to.equal(2);
    });
  }

  it('does not try again if it would meet the same conflict', async () => {
    const { store, writes } = storeThat(conflict('patient-overlap', true));
    const error = await refusal(writeAppointment(store, 'app_date and app_time', [], work, () => null));
    expect(error.resultCode).to.equal(17);
    expect(writes()).to.equal(1);
  });

  it('passes on any other error at once', async () => {
    const error = new Error('broken');
    const { store, writes } = storeThat(error);
    expect(await failure(writeAppointment(store, 'app_date and app_time', [], work, () => null))).to.equal(error);
    expect(writes()).to.equal(1);
  });
});
