import { expect } from 'chai';
import { guardCell, unguardCell } from '../../src/reference-data/write-csv.ts';

describe('A cell for spreadsheets', () => {
  it('is guarded if it would be evaluated, including full-width signs, and reads back unchanged', () => {
    for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
      const text = `${sign}cmd|' /C calc'!A0`;
      expect(guardCell(text)).to.equal(`'${text}`);
      expect(guardCell(`'${text}`)).to.equal(`''${text}`);
      expect(unguardCell(guardCell(text))).to.equal(text);
    }
    expect(guardCell('Asha ＝ Rao')).to.equal('Asha ＝ Rao');
  });
});
