import { expect } from 'chai';
import fc from 'fast-check';
import { gsm7Septets, smsStatusText, splitMessage } from '../../../src/messages/sms-text.ts';
import { listed } from '../../support/listed.ts';

const gsm = (segments: number) => ({ encoding: 'GSM-7', segments });
const ucs = (segments: number) => ({ encoding: 'UCS-2', segments });

/** The encoding, and the number of segments. */
const measure = (text: string) => {
  const { encoding, segments } = splitMessage(text);
  return { encoding, segments: segments.length };
};

describe('splitMessage', () => {
  const measured: [string, string, { encoding: string; segments: number }][] = [
    ['the empty text', '', gsm(1)],
    ['160 plain characters', 'a'.repeat(160), gsm(1)],
    ['161 plain characters', 'a'.repeat(161), gsm(2)],
    ['306 plain characters', 'a'.repeat(306), gsm(2)],
    ['307 plain characters', 'a'.repeat(307), gsm(3)],
    ['765 plain characters', 'a'.repeat(765), gsm(5)],
    ['766 plain characters', 'a'.repeat(766), gsm(6)],
    ['80 euro signs', '€'.repeat(80), gsm(1)],
    ['81 euro signs', '€'.repeat(81), gsm(2)],
    // 153 is odd: each segment has 76 euro signs and one unused septet.
    ['152 euro signs', '€'.repeat(152), gsm(2)],
    ['153 euro signs', '€'.repeat(153), gsm(3)],
    ['a pair that would be split at the end of a segment', `${'a'.repeat(152)}€${'a'.repeat(152)}`, gsm(3)],
    ['a pair that ends a segment', `${'a'.repeat(151)}€${'a'.repeat(153)}`, gsm(2)],
    ['every character of the extension table', '\f^{}\\[~]|€', gsm(1)],
    ['accents and Greek letters of the alphabet', 'èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉÄÖÑÜ§¿äöñüà¡£¥¤@$_\n\r', gsm(1)],
    ['70 Hindi characters', 'न'.repeat(70), ucs(1)],
    ['71 Hindi characters', 'न'.repeat(71), ucs(2)],
    ['134 Hindi characters', 'न'.repeat(134), ucs(2)],
    ['135 Hindi characters', 'न'.repeat(135), ucs(3)],
    ['35 emoji', '😀'.repeat(35), ucs(1)],
    ['36 emoji', '😀'.repeat(36), ucs(2)],
    // 67 is odd: a segment has 33 surrogate pairs.
    ['66 emoji', '😀'.repeat(66), ucs(2)],
    ['67 emoji', '😀'.repeat(67), ucs(3)],
    ['one character outside the alphabet', `${'a'.repeat(70)}ç`, ucs(2)],
    ['a back quote', '`', ucs(1)],
    ['a tab', '\t', ucs(1)],
    ['the escape character', '\u001b', ucs(1)],
  ];
  for (const [what, text, expected] of measured) {
    it(`measures ${what} as ${expected.segments} in ${expected.encoding}`, () => {
      expect(measure(text)).to.deep.equal(expected);
    });
  }

  it('has the 127 characters of the alphabet and the 10 of its extension', () => {
    let basic = 0;
    let extended = 0;
    for (let code = 0; code < 0xd800; code++) {
      const character = String.fromCharCode(code);
      if (measure(character).encoding !== 'GSM-7') continue;
      if (measure(character.repeat(160)).segments === 1) basic++;
      else extended++;
    }
    expect([basic, extended]).to.deep.equal([127, 10]);
  });

  it('never needs fewer segments for more text', () => {
    const character = fc.constantFrom('a', '€', '[', 'न', '😀');
    fc.assert(
      fc.property(fc.array(character, { maxLength: 400 }), character, (characters, more) => {
        const text = characters.join('');
        expect(measure(text + more).segments).to.be.at.least(measure(text).segments);
      }),
    );
  });

  it('moves a pair that would be split to the next segment', () => {
    expect(splitMessage(`${'a'.repeat(152)}€^${'b'.repeat(10)}`).segments).to.deep.equal([
      'a'.repeat(152),
      `€^${'b'.repeat(10)}`,
    ]);
    expect(splitMessage(`${'अ'.repeat(66)}😀${'अ'.repeat(10)}`).segments).to.deep.equal([
      'अ'.repeat(66),
      `😀${'अ'.repeat(10)}`,
    ]);
  });

  it('loses nothing, splits no character and fills no segment beyond its size', () => {
    const character = fc.constantFrom('a', '€', '[', 'न', '😀', '\n');
    fc.assert(
      fc.property(fc.array(character, { maxLength: 500 }), (characters) => {
        const text = characters.join('');
        const { encoding, segments } = splitMessage(text);
        expect(segments.join('')).to.equal(text);
        expect(segments.flatMap((segment) => Array.from(segment))).to.deep.equal(characters);
        const lengths = segments.map((segment) =>
          encoding === 'GSM-7' ? gsm7Septets(segment).length : segment.length,
        );
        const [alone, ofSeveral] = encoding === 'GSM-7' ? [160, 153] : [70, 67];
        expect(Math.max(...lengths)).to.be.at.most(segments.length === 1 ? alone : ofSeveral);
      }),
    );
  });
});

describe('gsm7Septets', () => {
  it('uses the codes of the standard', () => {
    expect([...gsm7Septets('@£Δ_ΞÆ A¡Zaà')]).to.deep.equal([
      0x00, 0x01, 0x10, 0x11, 0x1a, 0x1c, 0x20, 0x41, 0x40, 0x5a, 0x61, 0x7f,
    ]);
    expect([...gsm7Septets('\f^{}\\[~]|€')]).to.deep.equal(
      [0x0a, 0x14, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e, 0x40, 0x65].flatMap((code) => [0x1b, code]),
    );
  });

  for (const character of ['न', '`', '\u001b', 'ç']) {
    it(`throws for ${JSON.stringify(character)}`, () => expect(() => gsm7Septets(character)).to.throw(RangeError));
  }
});

describe('smsStatusText', () => {
  it('names the statuses 1 to 8', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((status) => smsStatusText(status, 'HTTP gateway'))).to.deep.equal(
      listed(`Queued | Sending | Submitted | Delivered | Failed | Expired | Rejected | Dead`),
    );
  });

  it('does not report a message written only to a file as Submitted', () => {
    expect(smsStatusText(3, 'file ./data/sms.jsonl')).to.equal('Written to a file');
    expect(smsStatusText(3, null)).to.equal('Submitted');
    expect(smsStatusText(1, 'file ./data/sms.jsonl')).to.equal('Queued');
  });

  it('throws for a number that is not a status', () => {
    expect(() => smsStatusText(0, null)).to.throw(RangeError);
    expect(() => smsStatusText(9, null)).to.throw(RangeError);
  });
});
