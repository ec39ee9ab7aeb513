import { expect } from 'chai';
import fc from 'fast-check';
import { parseXsdInt } from '../../src/contract/xsd-int.ts';
import { anyCharacter } from '../support/random/any-character.ts';

describe('parseXsdInt', () => {
  for (const [text, value] of [
    ['0', 0],
    ['7', 7],
    ['+7', 7],
    ['-7', -7],
    ['007', 7],
    ['-000', 0],
    ['+0', 0],
    [' \t\r\n42 \t\r\n', 42],
    ['2147483647', 2147483647],
    ['-2147483648', -2147483648],
    ['00000000000000000002147483647', 2147483647],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${value}`, () => {
      // Deep equality distinguishes -0, which would be written with its sign, from 0.
      expect(parseXsdInt(text)).to.deep.equal(value);
    });
  }

  for (const text of ['2147483648', '-2147483649', '9'.repeat(400), `-${'9'.repeat(400)}`]) {
    it(`reports that ${text.slice(0, 12)} (${text.length} characters) is out of range`, () => {
      expect(parseXsdInt(text)).to.equal('range');
    });
  }

  for (const text of [
    '',
    ' ',
    '+',
    '-',
    '--1',
    '+-1',
    '1 2',
    '12abc',
    'zz',
    '1.0',
    '1.',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1_0',
    '1,000',
    '\u00a01',
    '1\u00a0',
    '\f1',
    '\ufeff1',
    '\u0661',
    '\uff11',
    '\u22121',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(parseXsdInt(text)).to.equal('lexical');
    });
  }

  it('reads every int that it is given in decimal', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat({ max: 5 }), fc.constantFrom('', ' ', '\n\t'), (value, zeros, space) => {
        const digits = `${'0'.repeat(zeros)}${Math.abs(value)}`;
        expect(parseXsdInt(`${space}${value < 0 ? '-' : ''}${digits}${space}`)).to.equal(value);
      }),
    );
  });

  it('agrees with BigInt on which integers are in range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 33n), max: 2n ** 33n }), (value) => {
        const inRange = BigInt.asIntN(32, value) === value;
        expect(parseXsdInt(String(value))).to.equal(inRange ? Number(value) : 'range');
      }),
    );
  });

  it('never throws, and accepts only what the XSD pattern accepts', () => {
    const unit = fc.oneof(fc.constantFrom(...'0123456789+- \t\n\r.eE'), anyCharacter);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const isInteger = /^[ \t\n\r]*[+-]?[0-9]+[ \t\n\r]*$/.test(text);
        expect(parseXsdInt(text) !== 'lexical').to.equal(isInteger);
      }),
    );
  });
});
