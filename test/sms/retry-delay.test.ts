import { expect } from 'chai';
import { retryDelay } from '../../src/sms/retry-delay.ts';

describe('The wait before the next try', () => {
  const longest = (tries: number, base = 2000) => retryDelay(tries, base, () => 1 - Number.EPSILON);

  it('is at most the base, twice the base, four times the base …', () => {
    expect([1, 2, 3, 7].map((tries) => longest(tries))).to.deep.equal([1999, 3999, 7999, 127_999]);
  });
  it('is never longer than 15 minutes', () => {
    expect([10, 100, 5000].map((tries) => longest(tries))).to.deep.equal([899_999, 899_999, 899_999]);
  });
  it('may be as short as zero', () => {
    expect(retryDelay(5, 2000, () => 0)).to.equal(0);
    expect(retryDelay(5, 2000, () => 1 / 2)).to.equal(16_000);
  });
});
