import { expect } from 'chai';
import { TokenBucket } from '../../src/sms/token-bucket.ts';

describe('The rate of messages', () => {
  /** Takes whatever is allowed, each millisecond for that many milliseconds. */
  const passed = (bucket: TokenBucket, from: number, milliseconds: number): number => {
    let count = 0;
    for (let now = from; now < from + milliseconds; now++) {
      for (; bucket.available(now) > 0; count++) bucket.take(now);
    }
    return count;
  };

  for (const rate of [1, 5, 20, 1000]) {
    it(`of ${rate} per second is kept in every second, except for a tenth at the start`, () => {
      const bucket = new TokenBucket(rate);
      expect(passed(bucket, 0, 1000)).to.be.within(rate, Math.ceil(rate * 1.1) + 1);
      expect(passed(bucket, 1000, 10_000)).to.be.within(rate * 10 - 1, rate * 10 + 1);
    });
  }

  it('saves up no more than a tenth of a second', () => {
    const bucket = new TokenBucket(100);
    expect(bucket.available(0)).to.equal(10);
    expect(bucket.available(3_600_000)).to.equal(10);
  });

  it('returns how long to wait for the next message', () => {
    const bucket = new TokenBucket(4);
    expect(bucket.wait(0)).to.equal(0);
    bucket.take(0);
    expect(bucket.wait(0)).to.equal(250);
    expect(bucket.wait(100)).to.equal(150);
    expect(bucket.available(250)).to.equal(1);
  });

  it('survives a clock that is set back', () => {
    const bucket = new TokenBucket(10);
    bucket.take(5000);
    expect(bucket.available(1000)).to.equal(0);
    expect(bucket.available(1100)).to.equal(1);
  });
});
