import { expect } from 'chai';
import { LeaseTimes } from '../../src/sms/lease-times.ts';

const LEASE = 30_000;
const INTERVAL = 1000;
const BEGIN = 1_000_000;

describe('The times of a lease', () => {
  const begin = (lease = LEASE) => {
    const times = new LeaseTimes(lease, INTERVAL);
    times.begin(BEGIN);
    times.notice(BEGIN);
    return times;
  };

  it('let a process that has just started take a free outbox, but no messages', () => {
    const times = begin();
    expect(times.mayTakeOutbox(BEGIN)).to.equal(true);
    expect(times.mayTakeMessages(BEGIN + LEASE - 1)).to.equal(false);
    expect(times.mayTakeMessages(BEGIN + LEASE)).to.equal(true);
  });

  it('ask for a renewal after a third of a lease', () => {
    const times = begin();
    expect(times.mustRenew(BEGIN)).to.equal(true);
    times.renewed(BEGIN);
    expect(times.untilRenewal(BEGIN)).to.equal(LEASE / 3);
    expect(times.mustRenew(BEGIN + LEASE / 3 - 1)).to.equal(false);
    expect(times.mustRenew(BEGIN + LEASE / 3)).to.equal(true);
  });

  for (const lease of [500, 2000, LEASE]) {
    it(`take no idle interval for a jump of the clock, with a lease of ${lease} ms`, () => {
      const times = begin(lease);
      for (const now of [BEGIN + INTERVAL, BEGIN + 2 * INTERVAL + 5]) {
        expect(times.notice(now)).to.equal(false);
        expect(times.mayTakeOutbox(now)).to.equal(true);
      }
    });
  }

  it('leave the process that sends the length of a lease after the clock was set forward', () => {
    const times = begin();
    const later = BEGIN + 3_600_000;
    expect(times.notice(later)).to.equal(false);
    expect(times.mayTakeOutbox(later + LEASE - 1)).to.equal(false);
    expect(times.mayTakeOutbox(later + LEASE)).to.equal(true);
  });

  it('let nothing wait for the time that the clock showed before it was set back', () => {
    const times = begin();
    times.bePatient(BEGIN);
    times.renewed(BEGIN);
    const earlier = BEGIN - 3_600_000 / 4;
    expect(times.notice(earlier)).to.equal(true);
    expect(times.mustRenew(earlier)).to.equal(true);
    expect(times.mayTakeOutbox(earlier + LEASE)).to.equal(true);
    expect(times.mayTakeMessages(earlier + LEASE)).to.equal(true);
  });
});
