import { expect } from 'chai';
import { Problems } from '../../../src/reference/problem.ts';

describe('A refused import', () => {
  const problems = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ file: 'a.csv', line: n + 2, column: `c${n}`, message: 'is wrong' }));

  it('has a message of limited length, and keeps no more problems than fit into memory, however many there are', () => {
    const found = new Problems();
    found.addAll(problems(50_007));
    const { problems: kept, message } = found.refusal(['a.csv']);
    expect(kept).to.have.length(50_000);
    expect(message.split('\n').slice(99)).to.deep.equal([
      'a.csv, line 101, column c99: is wrong.',
      '… and 49907 more.',
      'Nothing was imported.',
    ]);
  });
});
