import { expect } from 'chai';
import { writeAppointment } from '../../../src/appointments/write-appointment.ts';
import type { CallContext } from '../../../src/calls/dependencies.ts';
import { StoreConflict } from '../../../src/store/store.ts';
import { Refusal } from '../../../src/vocabulary/result-codes.ts';

/** A call whose writes fail with these errors, one after the other, and then succeed. */
function callThat(...failures: readonly Error[]) {
  let writes = 0;
  const call = {
    write: async ({ work }: { work: () => Promise<unknown> }) => {
      const failure = failures[writes++];
      if (failure !== undefined) throw failure;
      return work();
    },
  } as unknown as CallContext;
  return { call, writes: () => writes };
}

const conflict = () => new StoreConflict();
const failure = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => expect.fail('it was expected to fail'),
    (error) => error,
  );

describe('writeAppointment', () => {
  const BOOKED = { ResultCode: 0 };
  const WRITE = { work: async () => BOOKED, keys: [], fingerprint: () => null };

  it('tries again if the database reports a conflict, which may produce another answer', async () => {
    const { call, writes } = callThat(conflict());
    expect(await writeAppointment(call, 'app_date and app_time', WRITE)).to.equal(BOOKED);
    expect(writes()).to.equal(2);
  });

  it('refuses if the database reports a conflict twice, and names the parameters', async () => {
    const { call, writes } = callThat(conflict(), conflict());
    const error = await failure(writeAppointment(call, 'app_date and app_time', WRITE));
    expect(error).to.be.instanceOf(Refusal).and.include({ resultCode: 14 });
    expect(error.message).to.contain('app_date and app_time');
    expect(writes()).to.equal(2);
  });

  it('passes on any other error at once', async () => {
    const error = new Error('broken');
    const { call, writes } = callThat(error);
    expect(await failure(writeAppointment(call, 'app_date and app_time', WRITE))).to.equal(error);
    expect(writes()).to.equal(1);
  });
});
