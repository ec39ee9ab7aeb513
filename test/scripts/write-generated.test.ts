import { expect } from 'chai';
import { firstDifference } from '../../scripts/write-generated.ts';

describe('firstDifference', () => {
  it('names the first line that differs', () => {
    expect(firstDifference('a\nb\nc', 'a\nx\ny')).to.equal('Line 2 is "x"; the WSDL gives "b".');
  });

  it('names a line that is missing', () => {
    expect(firstDifference('a\nb', 'a')).to.equal('Line 2 is nothing; the WSDL gives "b".');
  });

  it('names an extra line', () => {
    expect(firstDifference('a', 'a\nb')).to.equal('Line 2 is "b"; the WSDL gives nothing.');
  });
});
