import { expect } from 'chai';
import { ImportRefused, Problems } from '../../src/reference-data/problem.ts';

describe('A refused import', () => {
  const problems = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ file: 'a.csv', line: n + 2, column: `c${n}`, message: 'is wrong' }));

  it('has a message of limited length, however many problems there are', () => {
    const refused = new ImportRefused(problems(5000));
    expect(refused.message.split('\n')).to.have.length(100);
    expect(refused.problems).to.have.length(5000);
  });

  it('keeps no more problems than fit into memory, and counts the others', () => {
    const found = new Problems();
    found.addAll(problems(50_007));
    const refused = found.refusal(['a.csv']);
    expect([refused.problems.length, refused.more]).to.deep.equal([50_000, 7]);
  });
});
