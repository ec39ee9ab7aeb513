import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { MOVES } from '../../../src/vocabulary/appointments.ts';
import { type Given, MINUTE, openHospital } from '../../support/database/hospital.ts';
import { USUAL_CALLS } from '../../support/one-call-of-each.ts';

/** 18 January 2027, 10:30 in Asia/Kolkata: a patient who is expected at 10:15 can be marked as NoShow. */
const LATER = Date.UTC(2027, 0, 18, 4, 45) + 15 * MINUTE;
const MINE = { name: 'desk' };
const OTHER = { name: 'website' };

/** The same store, which undoes each unit of work once it is complete, lets another call in, and runs it again. */
function rerunning(inner: Store, between: () => Promise<unknown>): Store {
  return {
    description: inner.description,
    read: (work) => inner.read(work),
    clock: inner.clock,
    reference: () => inner.reference(),
    flaw: () => inner.flaw(),
    purge: () => inner.purge(),
    size: () => inner.size(),
    close: () => inner.close(),
    write: async (work, keys) => {
      const undone = new Error('undone');
      await inner
        .write(async (queries) => {
          await work(queries);
          throw undone;
        }, keys)
        .catch(() => undefined);
      await between();
      return inner.write(work, keys);
    },
  };
}

const moves = MOVES.map(({ name, type }) => {
  const given: Given = { AppointmentID: 1, type, appdate: '2027-01-18', apptime: '17:00', centerid: 1 };
  return [name, 'Appointment_Status_Updates', given] as const;
});
const audited = USUAL_CALLS.filter(({ isAudited }) => isAudited);
const calls = [...audited.map(({ operation: { name }, given }) => [name, name, given] as const), ...moves];

describe('A unit of work that the store undoes and runs again', () => {
  /** What a call answers and what the audit then has, if another client makes the same call `before` it or in the `midst` of it. */
  async function outcomeOf(operation: string, given: Given, key: string | undefined, when: 'before' | 'midst') {
    // In memory: on PostgreSQL, work that is undone uses up numbers.
    const plain = await openStore(readConfig({ DATABASE_URL: 'sqlite::memory:' }).database);
    const other = await openHospital({}, plain);
    if ('AppointmentID' in given || 'doctorid' in given) await other.book();
    if ('AppointmentID' in given) other.clock.now = LATER;
    let [isAwaited, callsMade] = [false, 0];
    const callOther = async () => {
      if (isAwaited && callsMade++ === 0) await other.call(operation, given, undefined, OTHER);
    };
    const mine = when === 'before' ? other : await openHospital({}, rerunning(plain, callOther));
    isAwaited = true;
    if (when === 'before') await callOther();
    mine.clock.now = other.clock.now;
    const { record } = await mine.call(operation, given, key, MINE);
    expect(callsMade).to.be.greaterThan(0);
    await mine.minuteOver();
    const rows = await plain.read(({ audit }) => audit.page({}));
    await plain.close();
    return { record, rows };
  }

  for (const [what, operation, given] of calls) {
    for (const [how, key] of [
      ['', undefined],
      [' with an Idempotency-Key', 'key-1'],
    ] as const) {
      it(`leaves no trace of its first run: ${what}${how}, which another client called meanwhile`, async () => {
        const expected = await outcomeOf(operation, given, key, 'before');
        expect(await outcomeOf(operation, given, key, 'midst')).to.deep.equal(expected);
      });
    }
  }
});
