import { expect } from 'chai';
import { ANONYMOUS } from '../../src/access/client.ts';
import { compileAuditPlan } from '../../src/calls/audit-rows.ts';
import type { Call } from '../../src/calls/call.ts';
import { createCallTransaction } from '../../src/calls/transaction.ts';
import { createMetrics } from '../../src/monitoring/metrics.ts';
import type { CallStore } from '../../src/operations/dependencies.ts';
import type { Store } from '../../src/store/store.ts';
import { ownContract } from '../contract/own-wsdl.ts';
import { BOOKING, type Given, type Hospital, openHospital } from '../support/database/hospital.ts';
import { openTestStore } from '../support/database/open-test-store.ts';
import { perTest } from '../support/prepared.ts';

type Keys = readonly string[] | undefined;

/** The same store, recording the keys of each write. */
function withKeys(store: Store): { readonly store: Store; readonly keys: Keys[] } {
  const keys: Keys[] = [];
  return {
    store: {
      description: store.description,
      read: (work) => store.read(work),
      referenceVersion: () => store.referenceVersion(),
      flaw: () => store.flaw(),
      purge: () => store.purge(),
      size: () => store.size(),
      close: () => store.close(),
      write: (work, given) => {
        keys.push(given);
        return store.write(work, given);
      },
    },
    keys,
  };
}

const operation = ownContract.operations.find(({ name }) => name === 'Sent_SMS') ?? expect.fail('no Sent_SMS');
const call = {
  operation,
  input: {},
  transport: 'httpPost',
  client: ANONYMOUS,
  network: '192.0.2.1',
  address: '10.0.0.7',
  correlationId: 'c',
} as const;
const clock = () => 1;
let callers = 0;

const storeOf = (store: Store, keyed: Call): CallStore =>
  createCallTransaction({ store, clock, idempotencyWindowMs: 1 }, compileAuditPlan(operation), keyed).store;

/** Every wrapper of a store, by its effect. */
const WRAPPERS: Readonly<Record<string, (store: Store) => CallStore>> = {
  metered: (store) => createMetrics({ contract: ownContract, stopwatch: clock }).meteredStore(store),
  'that of a call': (store) => storeOf(store, call),
  'that of a call with an Idempotency-Key': (store) => storeOf(store, { ...call, idempotencyKey: `k${++callers}` }),
};

const write = (store: CallStore, keys: Keys) =>
  store.write(
    async () => ({ ResultCode: 0 }),
    keys,
    () => null,
  );

// A wrapper that drops the keys makes each write wait for all others, which no other test would detect.
for (const [name, wrap] of Object.entries(WRAPPERS)) {
  describe(`A store that is ${name}`, () => {
    const inner = perTest(openTestStore);

    it('passes on the keys of a write, and that it needs all of them', async () => {
      const { store, keys } = withKeys(inner);
      for (const given of [['a', 'b'], [], undefined]) await write(wrap(store), given);
      const [some, none, everything] = keys;
      expect(some).to.include.members(['a', 'b']);
      expect(none).to.be.an('array').and.not.to.include('a');
      expect(everything).to.equal(undefined);
    });

    it('is otherwise the store itself', async () => {
      const wrapped = wrap(inner);
      expect(await wrapped.referenceVersion()).to.equal(await inner.referenceVersion());
      expect(await wrapped.read(async () => 'read')).to.equal('read');
      expect(await write(wrapped, undefined)).to.deep.equal({ ResultCode: 0 });
    });
  });
}

describe('The writes of the operations', () => {
  let hospital: Hospital;
  let keys: Keys[];
  beforeEach(async () => {
    const recorded = withKeys(await openTestStore());
    hospital = await openHospital({}, recorded.store);
    keys = recorded.keys;
  });
  afterEach(() => hospital.close());

  const keysOf = async (work: () => Promise<unknown>): Promise<readonly Keys[]> => {
    const before = keys.length;
    await work();
    return keys.slice(before);
  };
  /** The keys of the only write of a call. */
  async function lockedBy(operation: string, given: Given, idempotencyKey?: string): Promise<readonly string[]> {
    const [only, ...more] = await keysOf(() => hospital.call(operation, given, idempotencyKey));
    expect(more, operation).to.deep.equal([]);
    return only ?? expect.fail(`${operation} locks everything`);
  }
  const waits = (one: readonly string[], other: readonly string[]): boolean => one.some((key) => other.includes(key));

  it('wait for each other only if they could double-book a slot or a patient', async () => {
    const somebody = { ...BOOKING, RegistrationNumber: 'R-2', Name: 'Ravi Kumar', contactnumber: '9845099999' };
    const mine = await lockedBy('Fetch_Details', BOOKING);
    const sameDoctor = await lockedBy('Fetch_Details', { ...somebody, app_time: '15:00' });
    const samePatient = await lockedBy('Fetch_Details', { ...BOOKING, DoctorID: 101, app_time: '12:00' });
    const other = await lockedBy('Fetch_Details', { ...somebody, DoctorID: 101, app_time: '11:00' });
    expect([waits(mine, sameDoctor), waits(mine, samePatient), waits(mine, other)]).to.deep.equal([true, true, false]);
  });

  it('wait for each other if they change one appointment, and a reschedule waits for bookings of its doctor', async () => {
    const bookAt = async (app_time: string) =>
      Number((await hospital.call('Fetch_Details', { ...BOOKING, app_time })).record.AppointmentID);
    const [first, second] = [await bookAt('10:15'), await bookAt('12:00')];
    const to = { appdate: '2027-01-18', apptime: '17:00', centerid: 1 };
    const change = (AppointmentID: number, type: number) =>
      lockedBy('Appointment_Status_Updates', { AppointmentID, type, ...to });
    const moved = await change(first, 1);
    const cancelled = await change(first, 6);
    expect(waits(moved, cancelled)).to.equal(true);
    expect(waits(cancelled, await change(second, 6))).to.equal(false);
    expect(waits(moved, await lockedBy('Fetch_Details', { ...BOOKING, app_time: '18:00' }))).to.equal(true);
  });

  it('wait for each other if they share an Idempotency-Key, a phone number or an inpatient', async () => {
    const message = (Mobileno: string, key?: string) =>
      lockedBy('Sent_SMS', { Mobileno, Message: 'Namaste', tempid: 0, SMSmode: 0 }, key);
    const feedback = (ipno: string, key?: string) => lockedBy('FB_Push_Details', { ipno, dept: 'ENT' }, key);
    const plain = await message('9845012345');
    expect(waits(plain, await message('+919845012345'))).to.equal(true);
    expect(waits(plain, await message('9845012346'))).to.equal(false);
    const seven = await feedback('IP-7');
    expect([waits(seven, await feedback('IP-7')), waits(seven, await feedback('IP-8'))]).to.deep.equal([true, false]);
    const mine = await message('9845012347', 'mine');
    // Refused because the key was used for another call, which is known only once it is locked.
    const [again = []] = await keysOf(() => feedback('IP-9', 'mine').catch(() => undefined));
    const other = await feedback('IP-9', 'other');
    expect([waits(mine, again), waits(mine, other)]).to.deep.equal([true, false]);
  });

  it('write only the audit if nothing is changed or everything is refused, and wait for no other write', async () => {
    await hospital.book();
    expect(await keysOf(() => hospital.dayOf(102, '2027-01-18'))).to.deep.equal([[]]);
    const refused = await keysOf(() => hospital.call('Fetch_Details', { ...BOOKING, Name: '' }));
    expect(refused.at(-1)).to.deep.equal([]);
    for (const some of refused) expect(some).not.to.equal(undefined);
  });
});
