import { expect } from 'chai';
import { oneOf } from '../../src/vocabulary/one-of.ts';

describe('oneOf', () => {
  it('writes one word as it is, two with "or", and more as a list', () => {
    expect(oneOf(['a'])).to.equal('a');
    expect(oneOf(['a', 'b'])).to.equal('a or b');
    expect(oneOf(['a', 'b', 'c'])).to.equal('one of a, b, c');
  });
});
