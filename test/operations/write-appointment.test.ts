import { expect } from 'chai';
import { writeAppointment } from '../../src/operations/appointments/write-appointment.ts';
import { type Store, StoreConflict } from '../../src/store/store.ts';
import { Refusal } from '../../src/vocabulary/result-codes.ts';

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

const conflict = () => new StoreConflict();
const failure = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => expect.fail('it was expected to fail'),
    (error) => error,
  );

describe('writeAppointment', () => {
  const BOOKED = { ResultCode: 0 };
  const write = (store: Store) =>
    writeAppointment(
      store,
      'app_date and app_time',
      [],
      async () => BOOKED,
      () => null,
    );

  it('tries again if the database reports a conflict, which may produce another answer', async () => {
    const { store, writes } = storeThat(conflict());
    expect(await write(store)).to.equal(BOOKED);
    expect(writes()).to.equal(2);
  });

  it('refuses if the database reports a conflict twice, and names the parameters', async () => {
    const { store, writes } = storeThat(conflict(), conflict());
    const error = await failure(write(store));
    expect(error).to.be.instanceOf(Refusal).and.include({ resultCode: 14 });
    expect(error.message).to.contain('app_date and app_time');
    expect(writes()).to.equal(2);
  });

  it('passes on any other error at once', async () => {
    const error = new Error('broken');
    const { store, writes } = storeThat(error);
    expect(await failure(write(store))).to.equal(error);
    expect(writes()).to.equal(1);
  });
});
