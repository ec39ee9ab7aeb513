import { expect } from 'chai';
import { escapeAttribute, escapeText } from '../../../src/xml/xml-characters.ts';

describe('escapeText and escapeAttribute', () => {
  it('escape markup, and white space that a parser would change', () => {
    expect(escapeText(`a&<>"'\r\n\t\u{1f600}`)).to.equal(`a&amp;&lt;&gt;"'&#xD;\n\t\u{1f600}`);
    expect(escapeAttribute(`a&<>"'\r\n\t\u{1f600}`)).to.equal('a&amp;&lt;&gt;&quot;&apos;&#xD;&#xA;&#x9;\u{1f600}');
  });
  it('throw for characters that XML 1.0 forbids and for lone surrogates', () => {
    const forbidden = ['\0', '\u0001', '\u0008', '\u000b', '\u000c', '\u000e', '\u001f', '\ufffe', '\uffff'];
    for (const char of [...forbidden, '\ud83d', '\ude00', '\ude00\ud83d']) {
      expect(() => escapeText(`a${char}b`)).to.throw('forbids');
      expect(() => escapeAttribute(`a${char}b`)).to.throw('forbids');
    }
  });
});
