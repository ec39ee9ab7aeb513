import { expect } from 'chai';
import fc from 'fast-check';
import { ImportRefused, Problems } from '../../../src/reference/problem.ts';
import { type CsvRow, readCsv } from '../../../src/reference/read-csv.ts';
import { readTable } from '../../../src/reference/read-table.ts';
import { csvLine, guardCell } from '../../../src/reference/write-csv.ts';

/** The bytes of a file, so many at a time. */
async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function rowsOf(text: string, size = 100): Promise<readonly CsvRow[]> {
  const { rows } = await readCsv(chunksOf(Buffer.from(text), size), 'a.csv');
  return (await Array.fromAsync(rows)).flat();
}

const withLineFeeds = (cell: string): string => cell.replace(/\r\n?/g, '\n');
/** Text with much of what CSV and spreadsheets get wrong. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...`=+-@'",;\t\r\n sep`, '\r\n', '\ufeff', 'आ'), fc.string({ unit: 'grapheme' })), {
    maxLength: 8,
  })
  .map((parts) => parts.join('').trim());

const sizes = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(1000));

const allQuoted = (cells: readonly string[], delimiter: string): string =>
  `${cells.map((cell) => `"${guardCell(cell).replaceAll('"', '""')}"`).join(delimiter)}\r\n`;

describe('CSV', () => {
  for (const delimiter of [',', ';', '\t']) {
    it(`is read as it was written, with ${JSON.stringify(delimiter)} between cells, in chunks of any size`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(text, text, text), { maxLength: 5 }), sizes, async (given, size) => {
          const rows = given.map((cells, index) => [`${index}`, ...cells]);
          const write = delimiter === ',' ? csvLine : (cells: readonly string[]) => allQuoted(cells, delimiter);
          const written = [['a', 'b', 'c', 'd'], ...rows].map((cells) => write(cells)).join('');
          const readRows = await rowsOf(written, size);
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

  it('is either read, or refused with a clear message, for any other bytes', async () => {
    const words = ['centerid', 'CenterName', 'Days', '"', ',', ';', '\n', '\r', '1', '\ufeff', '{', '[', ':', '-'];
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
    );
    const files = fc.constantFrom('centers.csv', 'opening-hours.csv', 'x.csv', 'leave.csv');
    await fc.assert(
      fc.asyncProperty(bytes, sizes, files, async (content, size, file) => {
        try {
          const { rows } = await readTable(chunksOf(content, size), file, new Problems(), {
            now: 0,
            warnings: new Problems(),
          });
          await Array.fromAsync(rows);
        } catch (error) {
          if (!(error instanceof ImportRefused)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('says where the row begins that is not CSV, however many lines and chunks precede it', async () => {
    const before = '1,"a\n""b"",\n\nc"\n\n';
    for (const size of [999, 70_000]) {
      for (const row of ['2,"b\n3,c\n', '2,"b\n3,"c"\n', '2,"b"c\n', '2,b"c\n']) {
        const refusal = await rowsOf(`a,b\n${before.repeat(10_000)}${row}`, size).catch((error) => error);
        expect(refusal.message).to.match(/^a\.csv, line 50002: a quote is not closed/);
      }
    }
  });

  it('is read without looking for the end of a row through the whole of a large file', async () => {
    const refusal = await rowsOf(`a,b\n1,x\n2,"${'x\n'.repeat(1 << 20)}`, 1 << 16).catch((error) => error);
    expect(refusal.message).to.match(/^a\.csv, line 3: a quote is not closed/);
  });

  it('names the line of a byte that is not UTF-8, in whatever chunks', async () => {
    const before = Buffer.from('a,b\nकखग,घ\n'.repeat(5000));
    const bytes = Buffer.concat([before, Buffer.from([0xe0, 0xa4]), Buffer.from('\n1,2\n')]);
    for (const size of [999, 1000, 1001, 70_000]) {
      const refusal = await readCsv(chunksOf(bytes, size), 'a.csv')
        .then(({ rows }) => Array.fromAsync(rows))
        .catch((error) => error);
      const said = /^a\.csv, line 10001: is not UTF-8 text; expected a file saved as "CSV UTF-8"\.\n/;
      expect(refusal.message).to.match(said);
    }
  });
});
