import { expect } from 'chai';
import { exactText, oneOf, quoted, visibleJson, visibleText } from '../../../src/vocabulary/text.ts';

describe('Text that is shown to people', () => {
  const unseen = 'A\u0000\u001b[2J\u0085\t\r\n\u2028\u202e\u2066\u200b\ufeff\ufffe\ud800B';

  it('has an escape for each character that a terminal obeys or hides', () => {
    expect(visibleText(unseen)).to.equal(
      String.raw`A\u{0}\u{1b}[2J\u{85}\u{9}\u{d}\u{a}\u{2028}\u{202e}\u{2066}\u{200b}\u{feff}\u{fffe}\u{d800}B`,
    );
  });

  it('keeps every script unchanged, with the joiners that some need', () => {
    const names = 'ಆಶಾ ರಾವ್, ശ്രീ\u200dയ, क्\u200cष, Zoë, 😀 “–”';
    expect(visibleText(names)).to.equal(names);
  });

  it('distinguishes similar characters if it must be exact', () => {
    expect(exactText('AB\u20111 ＡＢ')).to.equal(String.raw`AB\u{2011}1 \u{ff21}\u{ff22}`);
  });

  it('is escaped in JSON without changes to its meaning or its lines', () => {
    const json = JSON.stringify({ name: `${unseen}\u{e0001}` }, undefined, 2);
    expect(visibleJson(json)).to.match(/^\{\n {2}"name": "[ -~]+"\n\}$/);
    expect(JSON.parse(visibleJson(json))).to.deep.equal(JSON.parse(json));
  });

  it('has a replacement character for each of them within an error', () => {
    expect(quoted('Ravi\u202eivaR\n')).to.equal('Ravi\ufffdivaR\ufffd');
  });
});

describe('oneOf', () => {
  it('writes one word as it is, two with "or", and more as a list', () => {
    expect(oneOf([])).to.equal('nothing');
    expect(oneOf(['a'])).to.equal('a');
    expect(oneOf(['a', 'b'])).to.equal('a or b');
    expect(oneOf(['a', 'b', 'c'])).to.equal('one of a, b, c');
  });
});
