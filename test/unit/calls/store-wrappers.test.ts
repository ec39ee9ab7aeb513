import { expect } from 'chai';
import { ANONYMOUS } from '../../../src/access/client.ts';
import { compileAuditPlan } from '../../../src/calls/audit-rows.ts';
import type { Call } from '../../../src/calls/call.ts';
import { CallTransaction } from '../../../src/calls/transaction.ts';
import type { ResultRecord } from '../../../src/contract/contract.ts';
import type { Store } from '../../../src/store/store.ts';
import { appointmentKey, doctorKey, feedbackKey, messageKey } from '../../../src/store/store-keys.ts';
import { MOVES } from '../../../src/vocabulary/appointments.ts';
import { BOOKING, type Given, type Hospital, openHospital } from '../../support/database/hospital.ts';
import { openTestStore } from '../../support/database/open-test-store.ts';
import { type Locked, USUAL_CALLS } from '../../support/one-call-of-each.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

type Keys = readonly string[] | undefined;

/** The same store, recording the keys of each write. */
function withKeys(store: Store): { readonly store: Store; readonly keys: Keys[] } {
  const keys: Keys[] = [];
  return {
    store: {
      description: store.description,
      read: (work) => store.read(work),
      clock: store.clock,
      reference: () => store.reference(),
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

interface Wrapped extends Pick<Store, 'read' | 'reference'> {
  write(keys: Keys): Promise<ResultRecord>;
}

const work = async () => ({ ResultCode: 0 });

function storeOf(store: Store, keyed: Call): Wrapped {
  const call = new CallTransaction({ store, clock }, compileAuditPlan(operation), keyed);
  return {
    read: (read) => call.store.read(read),
    reference: () => call.store.reference(),
    write: (keys) => call.write(work, keys),
  };
}

/** Every wrapper of a store, by its effect. */
const WRAPPERS: Readonly<Record<string, (store: Store) => Wrapped>> = {
  'that of a call': (store) => storeOf(store, call),
  'that of a call with an Idempotency-Key': (store) => storeOf(store, { ...call, idempotencyKey: `k${++callers}` }),
};

// A wrapper that drops the keys makes each write wait for all others, which no other test would detect.
for (const [name, wrap] of Object.entries(WRAPPERS)) {
  describe(`A store that is ${name}`, () => {
    let inner: Store;
    beforeEach(async () => {
      inner = await openTestStore();
    });
    afterEach(() => inner.close());

    it('passes on the keys of a write, and that it needs all of them', async () => {
      const { store, keys } = withKeys(inner);
      for (const given of [['a', 'b'], [], undefined]) await wrap(store).write(given);
      const [some, none, everything] = keys;
      expect(some).to.include.members(['a', 'b']);
      expect(none).to.be.an('array').and.not.to.include('a');
      expect(everything).to.equal(undefined);
    });

    it('is otherwise the store itself', async () => {
      const wrapped = wrap(inner);
      expect(await wrapped.reference()).to.equal(await inner.reference());
      expect(await wrapped.read(async () => 'read')).to.equal('read');
      expect(await wrapped.write(undefined)).to.deep.equal({ ResultCode: 0 });
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
  const KEYS: Readonly<Record<Locked, string>> = {
    doctor: doctorKey(1, 102),
    patient: 'patient 1 ashapai',
    appointment: appointmentKey(1, 1),
    feedback: feedbackKey('IP-7'),
    message: messageKey('+919845012345'),
  };
  /** What each move locks. SQLite has one writer, so only the tables of locks show that a key is missing, which PostgreSQL would need. */
  const LOCKS: Readonly<Record<string, readonly Locked[]>> = {
    Reschedule: ['appointment', 'doctor', 'patient'],
    Confirm: ['appointment', 'doctor', 'patient'],
    // Of a patient who was marked as NoShow, and needs a seat again.
    Arrive: ['appointment', 'doctor', 'patient'],
    Start: ['appointment'],
    Complete: ['appointment'],
    Cancel: ['appointment'],
    NoShow: ['appointment'],
  };
  const MESSAGE = { Mobileno: '9845012345', Message: 'Namaste', tempid: 0, SMSmode: 0 };
  const FEEDBACK = { ipno: 'IP-7', roomno: '', moblieno: '', dept: 'ENT', needsimprovementcommit: 'Tea' };
  const given = (type: number): Given => ({
    AppointmentID: 1,
    type,
    appdate: '2027-01-18',
    apptime: '17:00',
    centerid: 1,
  });
  const rows = [
    ...USUAL_CALLS.filter(({ operation }) => !operation.safe).map(
      ({ operation, ...call }) => [operation.name, operation.name, call.given, call.locks] as const,
    ),
    ...MOVES.map(({ name, type }) => [name, 'Appointment_Status_Updates', given(type), LOCKS[name]] as const),
  ];
  for (const [what, operation, given, locks] of rows) {
    it(`of ${what} lock ${locks?.join(', ')}, and nothing else`, async () => {
      if ('AppointmentID' in given) await hospital.book();
      const noShow = { centerId: 1, id: 1, status: 7, now: 0 };
      if (what === 'Arrive') await hospital.store.write(({ appointments }) => appointments.setStatus(noShow));
      const [locked] = await keysOf(() => hospital.call(operation, given));
      expect(locked).to.have.members((locks ?? []).map((lock) => KEYS[lock]));
    });
  }

  it('wait for each other if they share an Idempotency-Key', async () => {
    const waits = (one: readonly string[], other: readonly string[]): boolean => one.some((key) => other.includes(key));
    const mine = await lockedBy('Sent_SMS', MESSAGE, 'mine');
    // Refused because the key was used for another call, which is known only once it is locked.
    const [again = []] = await keysOf(() => hospital.call('FB_Push_Details', FEEDBACK, 'mine').catch(() => undefined));
    const other = await lockedBy('FB_Push_Details', FEEDBACK, 'other');
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
