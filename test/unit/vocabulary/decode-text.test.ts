import { expect } from 'chai';
import { decodeLeniently, decodeText } from '../../../src/vocabulary/decode-text.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { decodeXmlBytes } from '../../../src/xml/decode-xml-bytes.ts';

const TEXT = '<a>\u00e9</a>';
const ASTRAL = '<a>\u0939\u{1f600}</a>';
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const littleEndian = (text: string): Buffer => Buffer.from(text, 'utf16le');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const declaring = (encoding: string): string => `<?xml version='1.0' encoding='${encoding}'?>`;

const LATIN = ['iso-8859-1', 'ISO-8859-15', 'us-ascii', 'latin1', 'windows-1252', 'windows-1251'];
const WIDE = ['utf-16', 'UTF-16', 'utf-16le', 'utf-16be'];

function codeOf(bytes: Buffer, said?: string): string {
  try {
    decodeText(bytes, said);
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('Bytes', () => {
  it('with a byte order mark are in its encoding, whatever is said, without the mark', () => {
    for (const said of [undefined, 'utf-8', 'gb18030', 'nothing', ...LATIN, ...WIDE]) {
      for (const encode of [utf8, littleEndian, bigEndian]) {
        expect(decodeText(encode(`\ufeff${ASTRAL}`), said), said).to.equal(ASTRAL);
      }
    }
    expect(decodeText(utf8(`\ufeff\ufeff${TEXT}`), 'utf-8')).to.equal(`\ufeff${TEXT}`);
  });

  it('with a NUL beside their first < are UTF-16, whatever is said', () => {
    for (const said of [undefined, 'utf-8', ...LATIN, ...WIDE]) {
      for (const encode of [littleEndian, bigEndian]) expect(decodeText(encode(ASTRAL), said), said).to.equal(ASTRAL);
    }
  });

  it('of UTF-16 are not changed when they are swapped', () => {
    const bytes = bigEndian(TEXT);
    decodeText(bytes, 'utf-16be');
    expect(bytes).to.deep.equal(bigEndian(TEXT));
  });

  it('that are valid UTF-8 are UTF-8 under its own, a Latin, an unknown label, one of UTF-16, and none', () => {
    for (const said of [undefined, 'utf-8', 'UTF8', "'utf-8'", 'utf-7', '', 'constructor', ...LATIN, ...WIDE]) {
      expect(decodeText(utf8(ASTRAL), said), said).to.equal(ASTRAL);
    }
  });

  it('that are not UTF-8 are windows-1252 if they should be UTF-8, or UTF-16 without a NUL', () => {
    const bytes = latin1('38\u00b0C \u0092\u00a3\u00a0Ren\u00e9e\u00bf');
    for (const said of [undefined, 'utf-8', 'UTF8', ...WIDE]) {
      expect(decodeText(bytes, said), said).to.equal('38°C ’£\u00a0Renée¿');
    }
  });

  it('are in any other encoding of the Web that is said, ISO-8859-1 as windows-1252', () => {
    expect(decodeText(latin1('<a>\u00e9\u0080\u00ff</a>'), 'ISO-8859-1')).to.equal('<a>é€ÿ</a>');
    expect(decodeText(latin1('<a>\u00e9</a>'), 'windows-1251')).to.equal('<a>й</a>');
    expect(decodeText(latin1('<a>\u00a4</a>'), 'iso-8859-15')).to.equal('<a>€</a>');
    expect(decodeText(Buffer.from([0xc4, 0xe3]), 'gb18030')).to.equal('你');
    expect(decodeText(Buffer.from([0x82, 0xa0]), 'shift_jis')).to.equal('あ');
    expect(codeOf(latin1('<a>\u0082</a>'), 'shift_jis')).to.equal('Malformed');
  });

  it('that are valid UTF-8 by accident stay in an encoding of two bytes', () => {
    expect(decodeText(Buffer.from([0xc4, 0xa3]), 'gb18030')).to.equal('模');
  });

  it('are refused if UTF-8 in them is cut or damaged, and nothing is replaced', () => {
    for (const bytes of [
      [0xc3, 0xa9, 0xc3],
      [0xe0, 0xa4, 0xb0, 0xe0, 0xa4],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ]) {
      for (const said of [undefined, 'utf-8', 'utf-16']) {
        expect(codeOf(Buffer.from([0x3c, ...bytes]), said), String(bytes)).to.equal('Malformed');
      }
    }
    expect(codeOf(Buffer.concat([littleEndian(`\ufeff${TEXT}`), Buffer.from([0x20])]))).to.equal('Malformed');
    expect(codeOf(littleEndian('\ufeff<a>\ud800</a>'))).to.equal('Malformed');
    expect(codeOf(Buffer.concat([utf8('\ufeff'), latin1(TEXT)]))).to.equal('Malformed');
  });

  it('are refused in an encoding that nobody knows', () => {
    for (const said of ['utf-7', 'utf-32', 'ebcdic-cp-us', '', 'constructor', '__proto__']) {
      expect(codeOf(latin1(TEXT), said), said).to.equal('UnsupportedMediaType');
    }
  });

  it('are none in an empty text', () => {
    expect(decodeText(Buffer.alloc(0))).to.equal('');
    expect(decodeText(Buffer.from('<'))).to.equal('<');
  });

  it('that no reading fits are U+FFFD where a text must be read whatever it contains', () => {
    expect(decodeLeniently(latin1('caf\u00e9'), 'text/plain; charset=utf-8')).to.equal('café');
    expect(decodeLeniently(Buffer.from([0xc3, 0xa9, 0xc3]), 'text/plain')).to.equal('é\ufffd');
    expect(decodeLeniently(latin1('caf\u00e9'), 'text/plain; charset=nothing')).to.equal('caf\ufffd');
  });
});

describe('The bytes of an XML document', () => {
  it('are in the encoding of the declaration if no charset is given', () => {
    const text = declaring('iso-8859-5') + TEXT;
    expect(decodeXmlBytes(latin1(text), undefined)).to.equal(`${declaring('iso-8859-5')}<a>щ</a>`);
    expect(decodeXmlBytes(latin1(text), 'iso-8859-1')).to.equal(text);
    expect(decodeXmlBytes(latin1(`<?xml version="1.0"?>${TEXT}`), undefined)).to.equal(`<?xml version="1.0"?>${TEXT}`);
  });

  it('are UTF-8 under a declaration of UTF-16, which .NET’s StringWriter writes', () => {
    const text = declaring('utf-16') + ASTRAL;
    for (const charset of [undefined, 'utf-8', 'utf-16']) expect(decodeXmlBytes(utf8(text), charset)).to.equal(text);
  });
});
