import { expect } from 'chai';
import { nameKey, registrationKey } from '../../../src/vocabulary/patients.ts';

describe('registrationKey', () => {
  for (const text of [
    undefined,
    '',
    '-',
    'NA',
    'n/a',
    'Walk-in',
    'First Visit',
    'xxx',
    'नया',
    '0',
    '0-0',
    '9999',
    '११',
  ]) {
    it(`treats ${JSON.stringify(text) ?? 'an absent number'} as none, because it can identify nobody`, () => {
      expect(registrationKey(text)).to.equal(null);
    });
  }

  it('is the number in capitals, without hyphens, blanks and what nobody sees', () => {
    for (const text of [' tp-1001 ', 'TP 1001', 'tp\u20111001', 'TP\u200b1001'])
      expect(registrationKey(text)).to.equal('TP1001');
    expect(registrationKey('91-1234-5678-9012')).to.equal('91123456789012');
  });

  it('keeps whatever else distinguishes two numbers', () => {
    expect(registrationKey('1/23')).not.to.equal(registrationKey('12/3'));
  });

  it('accepts a text with a digit, and a digit of its own', () => {
    for (const text of ['NEW17', 'NA1', '007', 'X1', '7', '9998', '१२']) expect(registrationKey(text)).to.equal(text);
  });

  it('accepts an address, with its hyphens and without a digit', () => {
    expect(registrationKey('asha.rao@sbx ')).to.equal('ASHA.RAO@SBX');
    expect(registrationKey('a-b@sbx')).not.to.equal(registrationKey('ab@sbx'));
    expect(registrationKey('n/a @')).to.equal(null);
  });
});

describe('nameKey', () => {
  it('ignores case, white space, titles, dots and Unicode composition', () => {
    for (const name of [
      'Asha Rao',
      ' ASHA \t rao ',
      'Dr. Asha Rao',
      'dr.asha rao',
      'Mrs Asha Rao',
      'Prof. Dr. Asha Rao',
      'Asha. Rao.',
      'AshaRao',
    ]) {
      expect(nameKey(name), name).to.equal('asharao');
    }
    expect(nameKey('RENE\u0301')).to.equal(nameKey('ren\u00e9'));
  });

  for (const [what, one, other] of [
    ['apostrophes of any kind', "Siobhan O'Neil", 'Siobhan O’Neil'],
    ['an accent for an apostrophe', 'D`Souza', 'D´Souza'],
    ['joiners and soft hyphens', 'क्‍षमा', 'क्षमा'],
    ['a zero-width space', 'Asha\u200bRao', 'Asha Rao'],
    ['full-width letters', 'Ｒａｖｉ', 'Ravi'],
    ['ß', 'Weiß', 'WEISS'],
    ['the dotted İ', 'İbrahim', 'ibrahim'],
    ['a ligature', 'Steﬃ', 'Steffi'],
  ] as const) {
    it(`ignores ${what}`, () => expect(nameKey(one)).to.equal(nameKey(other)));
  }

  it('keeps what is a name as well as a title, unless it has a dot', () => {
    expect(nameKey('Sri Devi')).to.equal('sridevi');
    expect(nameKey('Kumari Rao')).to.equal('kumarirao');
    expect(nameKey('Sri. Devi')).to.equal('devi');
    expect(nameKey('Kumari. Rao')).to.equal('rao');
  });

  it('keeps text that only begins like a title, and a title that is the whole name', () => {
    expect(nameKey('Drew Rao')).to.equal('drewrao');
    expect(nameKey('Kumari')).to.equal('kumari');
    expect(nameKey('Dr. Kumari')).to.equal('kumari');
  });

  it('distinguishes a newborn from the mother whose name and phone it shares', () => {
    for (const name of ['Baby of Asha Rao', 'B/O Asha Rao', 'Baby Asha Rao', 'Master Asha Rao']) {
      expect(nameKey(name), name).not.to.equal(nameKey('Asha Rao'));
    }
  });
});
