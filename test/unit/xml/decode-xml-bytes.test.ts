import { expect } from 'chai';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { decodeXmlBytes } from '../../../src/xml/decode-xml-bytes.ts';

const TEXT = '<a>\u00e9</a>';
const ASTRAL = '<a>\u0939\u{1f600}</a>';
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const littleEndian = (text: string): Buffer => Buffer.from(text, 'utf16le');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const declaring = (encoding: string): string => `<?xml version='1.0' encoding='${encoding}'?>`;

function codeOf(bytes: Buffer, charset?: string): string {
  try {
    decodeXmlBytes(bytes, charset);
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('decodeXmlBytes', () => {
  it('reads UTF-8 with and without a byte order mark, declared or not', () => {
    for (const charset of [undefined, 'utf-8', 'UTF-8', 'utf8']) {
      for (const mark of ['', '\ufeff']) expect(decodeXmlBytes(utf8(mark + ASTRAL), charset)).to.equal(ASTRAL);
    }
  });
  it('removes only one byte order mark', () => {
    expect(decodeXmlBytes(utf8(`\ufeff\ufeff${TEXT}`), 'utf-8')).to.equal(`\ufeff${TEXT}`);
  });
  it('reads UTF-16 of either byte order with its mark', () => {
    for (const charset of [undefined, 'utf-16', 'UTF-16']) {
      expect(decodeXmlBytes(littleEndian(`\ufeff${ASTRAL}`), charset)).to.equal(ASTRAL);
      expect(decodeXmlBytes(bigEndian(`\ufeff${ASTRAL}`), charset)).to.equal(ASTRAL);
    }
  });
  it('reads UTF-16 of a given byte order with and without a mark', () => {
    for (const mark of ['', '\ufeff']) {
      expect(decodeXmlBytes(littleEndian(mark + ASTRAL), 'utf-16le')).to.equal(ASTRAL);
      expect(decodeXmlBytes(bigEndian(mark + ASTRAL), 'UTF-16BE')).to.equal(ASTRAL);
    }
  });
  it("does not change the caller's bytes when it swaps them", () => {
    const bytes = bigEndian(TEXT);
    decodeXmlBytes(bytes, 'utf-16be');
    expect(bytes).to.deep.equal(bigEndian(TEXT));
  });
  it('requires a mark for UTF-16 without a byte order', () => {
    expect(codeOf(littleEndian(TEXT), 'utf-16')).to.equal('Malformed');
    expect(codeOf(utf8(declaring('utf-16') + TEXT))).to.equal('Malformed');
  });
  it('reads any encoding that the platform knows, ISO-8859-1 as windows-1252', () => {
    expect(decodeXmlBytes(latin1('<a>\u00e9\u0080\u00ff</a>'), 'ISO-8859-1')).to.equal('<a>\u00e9\u20ac\u00ff</a>');
    expect(decodeXmlBytes(latin1('<a>\u00e9</a>'), 'windows-1251')).to.equal('<a>\u0439</a>');
    expect(codeOf(latin1('<a>\u0082</a>'), 'shift_jis')).to.equal('Malformed');
  });
  it('reads windows-1252, which old Windows programs write', () => {
    const bytes = Buffer.from([0x3c, 0x61, 0x3e, 0x80, 0x93, 0xe9, 0x3c, 0x2f, 0x61, 0x3e]);
    for (const charset of ['windows-1252', 'Windows-1252', 'cp1252']) {
      expect(decodeXmlBytes(bytes, charset)).to.equal('<a>\u20ac\u201c\u00e9</a>');
    }
    expect(decodeXmlBytes(Buffer.concat([latin1(declaring('windows-1252')), bytes]), undefined)).to.equal(
      `${declaring('windows-1252')}<a>\u20ac\u201c\u00e9</a>`,
    );
  });
  it('reads US-ASCII and refuses its bytes above 127', () => {
    expect(decodeXmlBytes(latin1('<a/>'), 'us-ascii')).to.equal('<a/>');
    expect(codeOf(latin1(TEXT), 'us-ascii')).to.equal('Malformed');
    expect(codeOf(latin1(declaring('US-ASCII') + TEXT))).to.equal('Malformed');
  });
  it('uses the declaration if there is no other information', () => {
    const text = declaring('iso-8859-1') + TEXT;
    expect(decodeXmlBytes(latin1(text), undefined)).to.equal(text);
    expect(codeOf(latin1(`<?xml version="1.0"?>${TEXT}`))).to.equal('Malformed');
  });
  it('prefers the charset to the declaration', () => {
    const text = declaring('utf-16') + TEXT;
    expect(decodeXmlBytes(utf8(text), 'utf-8')).to.equal(text);
    expect(decodeXmlBytes(latin1(text), 'iso-8859-1')).to.equal(text);
    expect(decodeXmlBytes(utf8(`\ufeff${text}`), 'utf-8')).to.equal(text);
  });
  it('prefers the byte order mark to the declaration', () => {
    for (const encoding of ['UTF-16', 'utf-8', 'iso-8859-1']) {
      const text = declaring(encoding) + TEXT;
      expect(decodeXmlBytes(bigEndian(`\ufeff${text}`), undefined)).to.equal(text);
      expect(decodeXmlBytes(utf8(`\ufeff${text}`), undefined)).to.equal(text);
    }
  });
  it('refuses a byte order mark that contradicts the charset', () => {
    for (const charset of ['utf-16', 'utf-16le', 'iso-8859-1', 'us-ascii']) {
      expect(codeOf(utf8(`\ufeff${TEXT}`), charset), charset).to.equal('Malformed');
    }
    expect(codeOf(littleEndian(`\ufeff${TEXT}`), 'utf-8')).to.equal('Malformed');
    expect(codeOf(littleEndian(`\ufeff${TEXT}`), 'utf-16be')).to.equal('Malformed');
    expect(codeOf(bigEndian(`\ufeff${TEXT}`), 'utf-16le')).to.equal('Malformed');
  });
  it('never replaces bytes that are invalid in the encoding', () => {
    for (const bytes of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80]]) {
      expect(codeOf(Buffer.from([0x3c, ...bytes])), String(bytes)).to.equal('Malformed');
    }
    expect(codeOf(Buffer.concat([littleEndian(`\ufeff${TEXT}`), Buffer.from([0x20])]))).to.equal('Malformed');
    expect(codeOf(littleEndian('\ufeff<a>\ud800</a>'))).to.equal('Malformed');
  });
  it('reads UTF-8 whatever it is called, and refuses other bytes in an encoding that nobody knows', () => {
    for (const charset of ["'utf-8'", 'utf-7', 'utf-32', 'ebcdic-cp-us', '', 'constructor']) {
      expect(decodeXmlBytes(utf8(TEXT), charset), charset).to.equal(TEXT);
      expect(codeOf(latin1(TEXT), charset), charset).to.equal('UnsupportedMediaType');
    }
    expect(codeOf(latin1(declaring('utf-7') + TEXT))).to.equal('UnsupportedMediaType');
  });
  it('reads an empty input as an empty text', () => {
    expect(decodeXmlBytes(Buffer.alloc(0), undefined)).to.equal('');
  });
});
