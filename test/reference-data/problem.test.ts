import { expect } from 'chai';
import { decodeText } from '../../src/reference-data/decode-text.ts';
import { ImportRefused } from '../../src/reference-data/problem.ts';

describe('A refused import', () => {
  it('has a message of limited length, however many problems there are', () => {
    const problems = Array.from({ length: 5000 }, (_, n) => ({ file: 'a.csv', line: n + 2, message: 'is wrong' }));
    const refused = new ImportRefused(problems);
    expect(refused.message.split('\n')).to.have.length(100);
    expect(refused.problems).to.have.length(5000);
  });

  it('says that a file is too large to fit into one string', () => {
    // Pages that have not been written take no memory.
    const bytes = new Uint8Array(2 ** 29);
    expect(() => decodeText(bytes, 'appointments.csv')).to.throw(
      ImportRefused,
      'appointments.csv: is too large; expected at most 500 MB, and the rest in other files of the same import.',
    );
  });
});
