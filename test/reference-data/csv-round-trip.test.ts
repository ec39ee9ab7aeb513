import { expect } from 'chai';
import fc from 'fast-check';
import { csvLine } from '../../src/commands/csv-line.ts';
import { ImportRefused } from '../../src/reference-data/problem.ts';
import { readCsv } from '../../src/reference-data/read-csv.ts';
import { readTableFile } from '../../src/reference-data/read-table-file.ts';

const done = () => {};
const withLineFeeds = (cell: string): string => cell.replace(/\r\n?/g, '\n');
/** Text with much of what CSV and spreadsheets get wrong. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...`=+-@'",;\t\r\n sep`, '\r\n', '\ufeff', 'आ'), fc.string({ unit: 'grapheme' })), {
    maxLength: 8,
  })
  .map((parts) => parts.join('').trim());

describe('CSV', () => {
  for (const delimiter of [',', ';', '\t']) {
    it(`is read as it was written, with ${JSON.stringify(delimiter)} between cells`, () => {
      fc.assert(
        fc.property(fc.array(fc.tuple(text, text, text), { maxLength: 5 }), (given) => {
          const rows = given.map((cells, index) => [`${index}`, ...cells]);
          const style = { delimiter, byteOrderMark: false };
          const written = [['a', 'b', 'c', 'd'], ...rows].map((cells) => csvLine(cells, style)).join('');
          const read = readCsv(written, 'a.csv', done);
          const readRows = [...read.rows];
          expect(read.problems).to.deep.equal([]);
          expect(readRows.map(({ cells }) => cells)).to.deep.equal(rows.map((cells) => cells.map(withLineFeeds)));
          let line = 2;
          for (const [index, row] of readRows.entries()) {
            expect(row.line).to.equal(line);
            line += (rows[index] ?? []).join('').match(/\r\n|\r|\n/g)?.length ?? 0;
            line++;
          }
        }),
        { numRuns: 300 },
      );
    });
  }

  it('is either read, or refused with a clear message, for any other bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(...['centerid', 'CenterName', 'Days', '"', ',', ';', '\n', '\r', '1', '\ufeff', 'sep=', '-']),
          { maxLength: 30 },
        )
        .map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(bytes, fc.constantFrom('centers.csv', 'opening-hours.csv', 'x.csv', 'leave.csv'), (content, file) => {
        try {
          readTableFile(file, content, done);
        } catch (error) {
          if (!(error instanceof ImportRefused)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });
});
