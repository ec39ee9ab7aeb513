import { expect } from 'chai';
import { undoFloats } from '../../../src/reference/undo-floats.ts';

/** The cells of the first column, read in groups of two, and the columns that were written as fractions. */
async function undone(cells: readonly string[], skips: readonly number[] = []) {
  const columns: number[] = [];
  const groups = async function* () {
    for (let n = 0; n < cells.length; n += 2) {
      yield cells.slice(n, n + 2).map((cell, index) => ({ line: n + index, cells: [cell, 'x'] }));
    }
  };
  const rows = (await Array.fromAsync(undoFloats(groups(), new Set(skips), (found) => columns.push(...found)))).flat();
  expect(rows.map(({ line }) => line)).to.deep.equal([...cells.keys()]);
  return { cells: rows.map((row) => row.cells[0]), columns };
}

describe('The whole numbers of a column', () => {
  it('lose the fraction that a data frame gave all of them', async () => {
    expect(await undone(['', '1001.0', 'NULL', '-7.00', ' 3.0 ', ''])).to.deep.equal({
      cells: ['', '1001', 'NULL', '-7', '3', ''],
      columns: [0],
    });
  });

  for (const none of ['nan', 'NaN', 'NA', '-', '\\N']) {
    it(`lose it beside ${none}, which is no value of a patient either`, async () => {
      expect(await undone(['1001.0', none, '3.0'])).to.deep.equal({ cells: ['1001', none, '3'], columns: [0] });
    });
  }

  for (const other of ['1001', 'MR-7', '1.5', '1001.0.0', '.0']) {
    it(`keep it beside ${other}, wherever that is`, async () => {
      const cells = ['1001.0', '', '1002.0', '', '1003.0', ''];
      for (const at of cells.keys()) {
        const mixed = cells.with(at, other).concat('9.0');
        expect(await undone(mixed)).to.deep.equal({ cells: mixed, columns: [] });
      }
    });
  }

  it('keep it in a column of times', async () => {
    expect(await undone(['9.00', '14.00'], [0])).to.deep.equal({ cells: ['9.00', '14.00'], columns: [] });
  });
});
