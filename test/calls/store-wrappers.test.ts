import { expect } from 'chai';
import { Histogram } from 'prom-client';
import { ANONYMOUS } from '../../src/access/client.ts';
import { compileAuditPlan } from '../../src/calls/audit-plan.ts';
import { createCallAudit } from '../../src/calls/call-audit.ts';
import { idempotentStore } from '../../src/calls/idempotent-store.ts';
import { meteredStore } from '../../src/monitoring/metered-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ownContract } from '../contract/own-wsdl.ts';
import { BOOKING, type Hospital, openHospital } from '../support/database/hospital.ts';
import { openTestStore } from '../support/database/open-test-store.ts';

type Keys = readonly string[] | undefined;

/** The same store, and the keys of each of its writes. */
function withKeys(store: Store): { readonly store: Store; readonly keys: Keys[] } {
  const keys: Keys[] = [];
  return {
    store: {
      description: store.description,
      read: (work) => store.read(work),
      referenceVersion: () => store.referenceVersion(),
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
const call = { operation, input: {}, transport: 'httpPost', client: ANONYMOUS, correlationId: 'c' } as const;
const seconds = new Histogram({ name: 'seconds', help: 'of a test', labelNames: ['access'], registers: [] });
const clock = () => 1;
let callers = 0;

/** All that is ever put around a store, by what it does. */
const WRAPPERS: Readonly<Record<string, (store: Store) => Store>> = {
  metered: (store) =>
    meteredStore(store, { stopwatch: clock, read: seconds.labels('read'), write: seconds.labels('write') }),
  audited: (store) => createCallAudit({ store, clock, plan: compileAuditPlan(operation), call }).store,
  idempotent: (store) =>
    idempotentStore(store, { key: `k${++callers}`, client: ANONYMOUS, operation, input: {}, now: 1, window: 1 }),
};

// A wrapper that drops the keys makes each write wait for all others, and nothing else tells.
for (const [name, wrap] of Object.entries(WRAPPERS)) {
  describe(`A store that is ${name}`, () => {
    let inner: Store;
    beforeEach(async () => {
      inner = await openTestStore();
    });
    afterEach(() => inner.close());

    it('hands on what a write looks at, and that it looks at everything', async () => {
      const { store, keys } = withKeys(inner);
      await wrap(store).write(async () => ({ ResultCode: 0 }), ['a', 'b']);
      await wrap(store).write(async () => ({ ResultCode: 0 }), []);
      await wrap(store).write(async () => ({ ResultCode: 0 }));
      const [some, none, everything] = keys;
      expect(some).to.include.members(['a', 'b']);
      expect(none).to.be.an('array').and.not.to.include('a');
      expect(everything).to.equal(undefined);
    });

    it('is in all else the store', async () => {
      const wrapped = wrap(inner);
      expect(wrapped.description).to.equal(inner.description);
      expect(await wrapped.referenceVersion()).to.equal(await inner.referenceVersion());
      expect(await wrapped.read(async () => 'read')).to.equal('read');
      expect(await wrapped.write(async () => ({ ResultCode: 0 }))).to.deep.equal({ ResultCode: 0 });
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

  it('name what they look at, with an Idempotency-Key that too', async () => {
    const book = await keysOf(() => hospital.call('Fetch_Details', BOOKING, 'mine'));
    expect(book).to.have.length(1);
    expect(book[0]).to.have.length(3).and.to.include.members(['doctor 1 102', 'idempotency mine']);
    const id = Number((await hospital.call('Fetch_Details', BOOKING)).record.AppointmentID);
    const change = (type: number) => () =>
      hospital.call('Appointment_Status_Updates', {
        AppointmentID: id,
        type,
        appdate: '2027-01-18',
        apptime: '11:00',
        centerid: 1,
      });
    const [moved] = await keysOf(change(1));
    expect(moved)
      .to.have.length(3)
      .and.to.include.members([`appointment ${id}`, 'doctor 1 102']);
    expect(moved?.filter((key) => key.startsWith('patient 1 '))).to.deep.equal(
      book[0]?.filter((key) => key.startsWith('patient 1 ')),
    );
    expect(await keysOf(change(6))).to.deep.equal([[`appointment ${id}`]]);
    const message = { Mobileno: '9845012345', Message: 'Namaste', tempid: 0, SMSmode: 0 };
    expect(await keysOf(() => hospital.call('Sent_SMS', message))).to.deep.equal([['message +919845012345']]);
    const feedback = { ipno: 'IP-7', roomno: '12', moblieno: '', dept: 'ENT', needsimprovementcommit: 'Tea' };
    expect(await keysOf(() => hospital.call('FB_Push_Details', feedback))).to.deep.equal([['feedback IP-7']]);
  });

  it('are the audit alone where nothing is changed or all is refused, beside everybody', async () => {
    const list = await keysOf(() => hospital.dayOf(102, '2027-01-18'));
    expect(list).to.deep.equal([[]]);
    const refused = await keysOf(() => hospital.call('Fetch_Details', { ...BOOKING, Name: '' }));
    expect(refused.at(-1)).to.deep.equal([]);
    for (const some of refused) expect(some).not.to.equal(undefined);
  });
});
