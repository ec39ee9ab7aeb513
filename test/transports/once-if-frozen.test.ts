import { expect } from 'chai';
import { onceIfFrozen } from '../../src/transports/once-if-frozen.ts';

describe('onceIfFrozen', () => {
  it('What is made of a frozen record is made once, and of any other record anew each time.', () => {
    let made = 0;
    const numberOf = onceIfFrozen(() => ++made);
    const frozen = Object.freeze({ ResultCode: 0 });
    expect([numberOf(frozen), numberOf(frozen)]).to.deep.equal([1, 1]);
    const open = { ResultCode: 0 };
    expect([numberOf(open), numberOf(open)]).to.deep.equal([2, 3]);
    expect(numberOf(Object.freeze({ ResultCode: 0 }))).to.equal(4);
  });
});
