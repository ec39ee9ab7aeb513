import { expect } from 'chai';
import { CsvError, type Options, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLine, guardCell, unguardCell } from '../../../src/reference/write-csv.ts';
import { growthOf, MORE_THAN_LINEAR } from '../../support/process/cpu-time.ts';

const SIGNS = '=+-@＝＋－＠';
const parts = [...SIGNS, ...'\'",;\t\r\n |x', '\r\n', '\u00a0', '\u3000', '=HYPERLINK("http://evil.example/")'];
const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join(''));

/** What a spreadsheet evaluates, if it drops quotes and blanks. */
const FORMULA = new RegExp(`^["\\s]*[${SIGNS.replace('-', '\\-')}]`);

function cellsOf(line: string, options: Options): readonly string[] {
  const lenient = { relax_column_count: true, relax_quotes: true };
  const all: Options = { ...options, ...lenient, record_delimiter: ['\r\n', '\n', '\r'] };
  try {
    return (parse(line, all) as string[][]).flat();
  } catch (error) {
    // To a spreadsheet, a quote that is not closed ends with the file.
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    return (parse(`${line}"`, all) as string[][]).flat();
  }
}

describe('A cell for spreadsheets', () => {
  it('is guarded if it would be evaluated, including full-width signs, and reads back unchanged', () => {
    for (const sign of [...SIGNS, '\t', '\r', '\n']) {
      const text = `${sign}cmd|' /C calc'!A0`;
      expect(guardCell(text)).to.equal(`'${text}`);
      expect(guardCell(`'${text}`)).to.equal(`''${text}`);
      expect(unguardCell(guardCell(text))).to.equal(text);
    }
    expect(guardCell('Asha ＝ Rao')).to.equal('Asha ＝ Rao');
  });

  it('is guarded behind a semicolon, a tab and a line end, quotes and blanks, and no other line of it is changed', () => {
    expect(guardCell('x;=HYPERLINK("http://evil.example/");y')).to.equal(`x;'=HYPERLINK("http://evil.example/");y`);
    expect(guardCell('x;"=1\t \'-1\r\n+1\r@1')).to.equal("x;'\"=1\t' '-1\r\n'+1\r'@1");
    for (const plain of ['Tea\r\n\r\nwas cold; 2 - 3 = -1\n(late)', "O'Neil; 'x'\n;;\t", 'a,=1']) {
      expect(guardCell(plain)).to.equal(plain);
    }
  });

  it('reads back unchanged, whatever it contains', () => {
    fc.assert(
      fc.property(text, (cell) => {
        expect(unguardCell(guardCell(cell))).to.equal(cell);
      }),
      { numRuns: 5000 },
    );
  });

  for (const delimiter of [',', ';', '\t']) {
    it(`begins no formula for a reader that splits at ${JSON.stringify(delimiter)} and takes quotes as it likes`, () => {
      fc.assert(
        fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (cells) => {
          const line = csvLine(cells);
          // A comma is meant to count only between cells, so its readers must heed quotes.
          for (const quote of delimiter === ',' ? ['"'] : ['"', false]) {
            for (const cell of cellsOf(line, { delimiter, quote })) expect(cell).not.to.match(FORMULA);
          }
        }),
        { numRuns: 1000 },
      );
    });
  }

  it('takes time in proportion to its length', () => {
    for (const unit of [' ', "'", '"', "' ", ';', '\t', "';", '=', 'x']) {
      const guardAll = (length: number) => {
        guardCell(unit.repeat(length));
        unguardCell(unit.repeat(length));
      };
      expect(growthOf(guardAll, 1 << 18), JSON.stringify(unit)).to.be.below(MORE_THAN_LINEAR);
    }
  });
});
