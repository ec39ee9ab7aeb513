import { expect } from 'chai';
import { OutboxLease } from '../../../src/messages/outbox-lease.ts';
import type { OutboxDependencies } from '../../../src/messages/outbox-settings.ts';

describe('OutboxLease', () => {
  const LEASE = 60_000;
  let stopwatch: number;
  let machine: number;
  let lease: OutboxLease;
  beforeEach(() => {
    [stopwatch, machine] = [1000, 5_000_000];
    lease = new OutboxLease({
      leaseMs: LEASE,
      clock: () => 9_000_000,
      machineClock: () => machine,
      stopwatch: () => stopwatch,
      newId: () => 'one',
    } as unknown as OutboxDependencies);
    lease.start();
    lease.committed(lease.wish([]), true);
  });

  it('is held until it ends by the stopwatch', () => {
    stopwatch += LEASE - 1;
    expect(lease.isHeld).to.equal(true);
    stopwatch += 1;
    expect(lease.isHeld).to.equal(false);
  });

  it('is not held after the machine was suspended for its length, which neither the stopwatch nor the clock of the store counts', () => {
    machine += LEASE;
    expect(lease.isHeld).to.equal(false);
  });
});
