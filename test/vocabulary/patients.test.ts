import { expect } from 'chai';
import { isSamePatient, nameKey, type PatientIdentity, registrationKey } from '../../src/vocabulary/patients.ts';

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

  it('is the number in capitals, without surrounding blanks', () => {
    expect(registrationKey(' tp-1001 ')).to.equal('TP-1001');
  });

  it('accepts a text with a digit, and a digit of its own', () => {
    for (const text of ['NEW-17', 'NA1', '007', 'X1', '7', '9998', '१२']) expect(registrationKey(text)).to.equal(text);
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

describe('isSamePatient', () => {
  const asha: PatientIdentity = {
    registrationKey: 'CGHS-1',
    nameKey: 'asharao',
    phone: '+919876543210',
    sex: 'F',
    ageValue: 34,
    ageUnit: 'Y',
  };
  const unnumbered = { ...asha, registrationKey: null };
  const age = (ageValue: number | null, ageUnit: string | null) => ({ ageValue, ageUnit });

  for (const [what, a, other, same] of [
    ['the same number, name and phone', asha, {}, true],
    ['the same number and name, another phone', asha, { phone: '+919876543211' }, true],
    ['the same number and phone, another name: a family on one card', asha, { nameKey: 'ravirao' }, false],
    ['only the same number', asha, { nameKey: 'ravikumar', phone: '+919876543211' }, false],
    ['another number', asha, { registrationKey: 'CGHS-2' }, false],
    ['the same name and phone, one of them without a number', asha, { registrationKey: null }, true],
    ['the same name, one of them without a number', asha, { registrationKey: null, phone: '+919876543211' }, false],
    ['the same phone, one of them without a number', asha, { registrationKey: null, nameKey: 'ravikumar' }, false],
    ['the same name and phone, neither with a number', unnumbered, {}, true],
    ['the same phone, another name, neither with a number', unnumbered, { nameKey: 'ravikumar' }, false],
    ['the same name, another phone, neither with a number', unnumbered, { phone: '+919876543211' }, false],
    ['M against F', asha, { sex: 'M' }, false],
    ['O against F', asha, { sex: 'O' }, true],
    ['an unknown sex', asha, { sex: 'U' }, true],
    ['two years between the ages', asha, age(36, 'Y'), true],
    ['more than two years between the ages: father and son of one name', asha, age(37, 'Y'), false],
    ['a month more than two years between the ages', asha, age(433, 'M'), false],
    ['an unknown age', asha, age(null, null), true],
    ['weeks against months', { ...asha, ...age(6, 'W') }, age(20, 'M'), true],
    ['days against years', { ...asha, ...age(6, 'D') }, age(3, 'Y'), false],
    ['two whose data was erased', { ...asha, nameKey: null, phone: null, registrationKey: null }, {}, false],
  ] as const) {
    it(`is ${same} for ${what}, in either order`, () => {
      const b = { ...a, ...other };
      expect(isSamePatient(a, b)).to.equal(same);
      expect(isSamePatient(b, a)).to.equal(same);
    });
  }
});
