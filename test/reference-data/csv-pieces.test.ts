import { expect } from 'chai';
import fc from 'fast-check';
import { csvPieces } from '../../src/reference-data/csv-pieces.ts';

describe('The pieces of a CSV text', () => {
  it('make up the whole text, end at record ends, and know their lines, whatever their size', () => {
    const cell = fc.oneof(
      fc.constantFrom('a', '', '"b\nc"', '"d ""e"""', '"\n\n"'),
      fc.string({ maxLength: 3 }).map((text) => `"${text.replaceAll('"', '""')}"`),
    );
    const records = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => `${cells.join(',')}\n`));
    fc.assert(
      fc.property(records, fc.integer({ min: 0, max: 20 }), fc.boolean(), (given, size, isEnded) => {
        const text = isEnded ? given.join('') : given.join('').replace(/\n$/, '');
        const pieces = [...csvPieces(text, size)];
        expect(pieces.map((piece) => piece.text).join('')).to.equal(text);
        const ends = new Set<number>();
        let at = 0;
        for (const record of given) {
          at += record.length;
          ends.add(at);
        }
        for (const { position, line } of pieces) {
          expect(position === 0 || ends.has(position)).to.equal(true);
          expect(line).to.equal(text.slice(0, position).split('\n').length - 1);
        }
      }),
      { numRuns: 500 },
    );
  });
});
