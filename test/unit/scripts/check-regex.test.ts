import { expect } from 'chai';
import { superlinear } from '../../../scripts/checks/check-regex.ts';
import { findPatterns } from '../../../scripts/checks/find-patterns.ts';

describe('The search for slow regular expressions', function () {
  this.timeout(60_000);

  it("finds one whose time grows with the square of the text's length, and ignores a linear one", () => {
    expect(superlinear('\\s+$', '')).to.match(/^2nd degree polynomial: /);
    expect(superlinear('^[A-Za-z0-9+/_-]+=*$', '')).to.equal(undefined);
  });

  it('reads every expression in a file with its line, including those that are assembled', () => {
    const text = 'const a: RegExp = /a+b/gi;\n// /no/\nconst b = "/no/";\nconst c = new RegExp(a.source + b);\n';
    expect(findPatterns('one.ts', text)).to.deep.equal({
      literals: [{ line: 1, source: 'a+b', flags: 'gi' }],
      constructed: [4],
    });
  });
});
