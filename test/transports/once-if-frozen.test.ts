import { expect } from 'chai';
import { onceIfFrozen } from '../../src/transports/once-if-frozen.ts';

describe('onceIfFrozen', () => {
  it('The result for a frozen record is computed once; for any other record, it is computed each time.', () => {
    let made = 0;
    const numberOf = onceIfFrozen(() => ++made);
    const frozen = Object.freeze({ ResultCode: 0 });
    expect([numberOf(frozen), numberOf(frozen)]).to.deep.equal([1, 1]);
    const open = { ResultCode: 0 };
    expect([numberOf(open), numberOf(open)]).to.deep.equal([2, 3]);
    expect(numberOf(Object.freeze({ ResultCode: 0 }))).to.equal(4);
  });
});
