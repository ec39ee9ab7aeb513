import { expect } from 'chai';
import fc from 'fast-check';
import {
  bareText,
  isSamePatient,
  nameKey,
  type PatientIdentity,
  REGISTRATION_PLACEHOLDERS,
  registrationKey,
} from '../../src/vocabulary/patients.ts';

const placeholders = new Set(REGISTRATION_PLACEHOLDERS);
const number = (text: string | undefined): string | null => registrationKey(text, placeholders);

describe('registrationKey', () => {
  for (const text of [
    undefined,
    '',
    ' ',
    '0',
    '00',
    '0000',
    'NA',
    'na',
    'N/A',
    'N.A.',
    '-',
    '.',
    '--',
    'NEW',
    'new',
    'NIL',
    'none',
    'NULL',
    'null',
    'TEMP',
    'WALKIN',
    'Walk-in',
    'walk in',
    '0-0',
  ]) {
    it(`treats ${text === undefined ? 'an absent number' : JSON.stringify(text)} as none`, () => {
      expect(number(text)).to.equal(null);
    });
  }

  it('is the number in capitals, without surrounding blanks', () => {
    expect(number(' tp-1001 ')).to.equal('TP-1001');
  });

  it('accepts a number that only begins like a placeholder', () => {
    for (const text of ['NEW-17', 'NA1', '007', 'TEMP-0001', 'X1']) expect(number(text)).to.equal(text);
  });

  it('accepts what the hospital does not treat as a placeholder', () => {
    expect(registrationKey('NEW', new Set(['OPD'].map(bareText)))).to.equal('NEW');
    expect(registrationKey('opd.', new Set(['OPD'].map(bareText)))).to.equal(null);
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
  const asha: PatientIdentity = { registrationKey: 'TP-1', nameKey: 'asharao', phone: '+919876543210' };
  const with_ = (other: Partial<PatientIdentity>): PatientIdentity => ({ ...asha, ...other });

  for (const [what, other, same] of [
    ['the same number, name and phone', {}, true],
    ['the same number and name, another phone', { phone: '+919876543211' }, true],
    ['the same number and phone, another name', { nameKey: 'ashasharma' }, true],
    ['only the same number', { nameKey: 'ravikumar', phone: '+919876543211' }, false],
    ['another number', { registrationKey: 'TP-2' }, false],
    ['the same name and phone, one of them without a number', { registrationKey: null }, true],
    ['the same name, one of them without a number', { registrationKey: null, phone: '+919876543211' }, false],
    ['the same phone, one of them without a number', { registrationKey: null, nameKey: 'ravikumar' }, false],
  ] as const) {
    it(`is ${same} for ${what}`, () => {
      expect(isSamePatient(asha, with_(other))).to.equal(same);
    });
  }

  it('requires both name and phone if neither has a number', () => {
    const stranger = with_({ registrationKey: null });
    expect(isSamePatient(stranger, stranger)).to.equal(true);
    expect(isSamePatient(stranger, { ...stranger, nameKey: 'ravikumar' })).to.equal(false);
    expect(isSamePatient(stranger, { ...stranger, phone: '+919876543211' })).to.equal(false);
  });

  it('does not depend on the order of the two', () => {
    const identity = fc.record({
      registrationKey: fc.constantFrom(null, 'A', 'B'),
      nameKey: fc.constantFrom('a', 'b'),
      phone: fc.constantFrom('1', '2'),
    });
    fc.assert(fc.property(identity, identity, (a, b) => isSamePatient(a, b) === isSamePatient(b, a)));
  });
});
