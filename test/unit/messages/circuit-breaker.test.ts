import { expect } from 'chai';
import { CircuitBreaker } from '../../../src/messages/circuit-breaker.ts';
import { retryDelayMs } from '../../../src/messages/message-fate.ts';

describe('The circuit breaker', () => {
  it('starts counting again after a success', () => {
    const breaker = new CircuitBreaker(() => 0);
    for (let n = 0; n < 4; n++) breaker.failed(0, false);
    expect(breaker.succeeded()).to.equal(false);
    for (let n = 0; n < 4; n++) breaker.failed(0, false);
    expect(breaker.probeOn).to.equal(undefined);
  });

  it('shortens a wait by up to half, at random', () => {
    const breaker = new CircuitBreaker(() => 1 - Number.EPSILON);
    for (let n = 0; n < 5; n++) breaker.failed(0, false);
    expect(breaker.probeOn).to.be.within(500, 501);
  });

  it('ignores answers to messages that were sent before it opened', () => {
    const breaker = new CircuitBreaker(() => 0);
    for (let n = 0; n < 20; n++) breaker.failed(n, false);
    expect(breaker.probeOn).to.equal(1004);
  });
});

describe('The wait before the next attempt', () => {
  const longest = (attempts: number) => retryDelayMs(attempts, 2000, () => 1 - Number.EPSILON);

  it('is up to twice as long each time, at most 15 minutes, and may be zero', () => {
    expect([1, 2, 3, 7, 10, 5000].map(longest)).to.deep.equal([1999, 3999, 7999, 127_999, 899_999, 899_999]);
    expect(retryDelayMs(5, 2000, () => 0)).to.equal(0);
  });
});
