import { expect } from 'chai';
import { dateForm, harmlessText } from '../../../../src/commands/rehearse/harmless-text.ts';

describe("The text of a request in a rehearsal's report", () => {
  for (const [text, form] of [
    ['2026-11-20T10:15:00', '9999-99-99T99:99:99'],
    ['2026-11-20T10:15:00.000+05:30', '9999-99-99T99:99:99.999+99:99'],
    ['2026-11-20T04:45:00Z', '9999-99-99T99:99:99Z'],
    ['20/11/2026', '99/99/9999'],
    ['20-Nov-2026 10:15 AM', '99-Mon-9999 99:99 AM'],
    ['0001-01-01T00:00:00', 'unset (0001-01-01)'],
    ['0001-01-01T10:15:00', '0001-01-01T99:99:99'],
    ['', 'empty'],
    ['Asha Pai', 'aaaa aaa'],
    ['आशा', 'aaa'],
  ] as const) {
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(form)}`, () => {
      expect(dateForm(text)).to.equal(form);
    });
  }

  it('keeps a program’s own words without long numbers and mail addresses, on one short line', () => {
    expect(harmlessText('Mozilla/4.0 (MS Web Services Client Protocol 4.0.30319.42000)')).to.equal(
      'Mozilla/4.0 (MS Web Services Client Protocol 4.0.30319.42000)',
    );
    expect(harmlessText('Desk (asha@example.org) +919845012345')).to.equal('Desk (…) +…');
    expect(harmlessText('Desk 98450-12345, 98450 12345 MRN 12-34-56')).to.equal('Desk …, … MRN …');
    expect(harmlessText('a\r\nb\u0000आ')).to.equal('a b');
    expect(harmlessText('x '.repeat(200))).to.have.length(121);
  });
});
