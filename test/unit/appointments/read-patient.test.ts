import { expect } from 'chai';
import fc from 'fast-check';
import {
  isAbsent,
  notUnderstood,
  type PatientParameters,
  readAge,
  readPatient,
  readSex,
} from '../../../src/appointments/read-patient.ts';
import { ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { listed } from '../../support/listed.ts';
import { anyCharacter } from '../../support/random/any-character.ts';
import { refusalOf } from './refusal-of.ts';

const NOW = Date.UTC(2026, 10, 26);

describe('isAbsent', () => {
  it('is true for what staff enter when they have no value', () => {
    for (const text of [
      undefined,
      ...'|  |-|--|.|?|0|00|NA|n/a|N.A.|nil|None|NO|null|not available|Not-Applicable|Not mentioned|UNKNOWN|Unspecified'.split(
        '|',
      ),
      ...'nan|NaN| NaT |--Select--|Please select|Select one'.split('|'),
    ]) {
      expect(isAbsent(text), text).to.equal(true);
    }
  });

  it('is false for what may be a value', () => {
    for (const text of [
      'N',
      'X',
      'Nan',
      'Nat',
      'Nanded',
      'Nottingham',
      'Select Citywalk',
      'No. 5, MG Road',
      '560001',
      'आशा',
      '0Y',
    ]) {
      expect(isAbsent(text), text).to.equal(false);
    }
  });
});

describe('readSex', () => {
  for (const [sex, texts] of Object.entries({
    M: ['M', 'm', 'Male', 'MALE', ' male ', 'M.', 'Boy', 'man', '1', 'Male Child', 'MC', 'Infant (male)'],
    F: ['F', 'f', 'Female.', 'FEMALE', 'girl', '2', 'Female Child', 'Baby girl'],
    O: [
      'O',
      'Other',
      'others',
      'Transgender',
      'Trans',
      'TG',
      'Third Gender',
      'third-gender',
      'T',
      'A',
      'N',
      'X',
      'x',
      'Intersex',
      'Non-binary',
    ],
    U: ['U', 'Unknown', '', 'NA', '0', undefined],
  })) {
    for (const text of texts) {
      it(`reads ${text === undefined ? 'an absent one' : JSON.stringify(text)} as ${sex}`, () => {
        expect(readSex(text)).to.equal(sex);
      });
    }
  }

  for (const text of ['Q', 'Divers', 'MF', 'M/F', 'constructor', 'महिला']) {
    it(`does not understand ${text}`, () => expect(readSex(text)).to.equal(undefined));
  }
});

describe('readAge', () => {
  for (const [text, value, unit] of [
    ['34', 34, 'Y'],
    ['0Y', 0, 'Y'],
    ['034', 34, 'Y'],
    ['34Y', 34, 'Y'],
    ['34 y', 34, 'Y'],
    ['34 years', 34, 'Y'],
    ['34 Yrs', 34, 'Y'],
    ['1 year', 1, 'Y'],
    ['6M', 6, 'M'],
    ['6 months', 6, 'M'],
    ['3W', 3, 'W'],
    ['3 weeks', 3, 'W'],
    ['12D', 12, 'D'],
    ['12 days', 12, 'D'],
    ['2Y 6M', 30, 'M'],
    ['2y6m', 30, 'M'],
    ['2 years  6 months', 30, 'M'],
    ['2Y 6M 3D', 30, 'M'],
    ['34Y 0M 0D', 34, 'Y'],
    ['0Y 6M 0D', 6, 'M'],
    ['0Y 0M 12D', 12, 'D'],
    ['34Y 20D', 34, 'Y'],
    ['34.5', 414, 'M'],
    ['34.0', 34, 'Y'],
    ['2.5 years', 30, 'M'],
    [' 34 ', 34, 'Y'],
    ['150', 150, 'Y'],
    ['1800M', 1800, 'M'],
    ['34 Yrs.', 34, 'Y'],
    ['34 years old', 34, 'Y'],
    ['12 days old', 12, 'D'],
    ['5 hours', 0, 'D'],
    ['50 Hrs.', 2, 'D'],
    ['٣٤', 34, 'Y'],
    ['३४ Y', 34, 'Y'],
    ['0', 0, 'Y'],
    ['34 Year(s) 5 Month(s) 2 Day(s)', 413, 'M'],
    ['0 Year(s) 0 Month(s) 9 Day(s)', 9, 'D'],
    ['12 Day(s)', 12, 'D'],
    ['1M 15D', 1, 'M'],
    ['2W 3D', 17, 'D'],
    ['34 Years, 2 Months', 410, 'M'],
    ['3 months and 2 days', 3, 'M'],
    ['6 Mon', 6, 'M'],
    ['60+', 60, 'Y'],
    ['34/M', 34, 'Y'],
    ['41 / F', 41, 'Y'],
    ['Newborn', 0, 'D'],
    ['new born', 0, 'D'],
    ['1990-05-21', 36, 'Y'],
    ['21-May-1990', 36, 'Y'],
    ['2025-12-26', 11, 'M'],
    ['2026-11-20', 6, 'D'],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${value} ${unit}`, () => {
      expect(readAge(text, NOW)).to.deep.equal({ ageValue: value, ageUnit: unit });
    });
  }

  for (const text of [
    ...listed(
      `151 | 1801M | 7827W | 54787D | 150Y 1M | 999999999 | 1870-01-01 | 2027-03-01 | 21/05/1990 | Adult | 34 वर्ष`,
    ),
    ...listed(`-1 | .5 | Y | old | 34X | 6M 2Y | 2Y 6 | 34 34 | 1e2 | 34 hours old hours`),
    '',
    '9'.repeat(50),
  ]) {
    it(`does not understand ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(readAge(text, NOW)).to.deep.equal({ ageValue: null, ageUnit: null });
    });
  }

  it('is never more than 150 years, and takes any text', () => {
    const unit = fc.oneof(fc.constantFrom(...'0123456789 YMWDyears'), anyCharacter);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
        expect(readAge(text, NOW).ageValue ?? 0).to.be.within(0, 54_786);
      }),
    );
  });
});

describe('readPatient', () => {
  const read = (values: Partial<PatientParameters>) => readPatient({ Name: 'Zoya', ...values }, 'IN', NOW);

  for (const [text, phone] of [
    ['9845012345/9845012346', '+919845012345'],
    ['98450 12345 (wife)', '+919845012345'],
    ['9845012345 ext 12', '+919845012345'],
    ['98450-12345-98450-12346', '+919845012345'],
    ['98450 12345 98450 12346', '+919845012345'],
    ['Home: 98450-12346, +61 491 570 006', '+919845012346'],
    ['12345 / +61 491 570 006', '+61491570006'],
    [' 61491570006', '+61491570006'],
    [' 9845012345 ', '+919845012345'],
    ['', null],
    [undefined, null],
    ['NA', null],
    ['-', null],
    ['not reachable', null],
    ['0000000000', null],
    ['1111111111', null],
  ] as const) {
    it(`takes ${JSON.stringify(text) ?? 'an absent number'} for ${phone ?? 'no phone'}`, () => {
      expect(read({ contactnumber: text }).phone).to.equal(phone);
    });
  }

  for (const text of ['98450', '98450 1234', '12345/678', '98450 12345 6']) {
    it(`refuses ${text}, which somebody must correct`, () => {
      expect(refusalOf(() => read({ contactnumber: text }))).to.include({
        resultCode: ResultCode.InvalidInput,
        parameter: 'contactnumber',
      });
    });
  }

  it('keeps what it does not understand, and says so', () => {
    const patient = read({
      Sex: 'Divers',
      Age: 'Adult',
      email: 'a@example.org; b@example.org',
      title: 'Flt. Lt. (retired)',
    });
    expect(patient).to.include({ sex: 'U', sexText: 'Divers', ageText: 'Adult', ageValue: null });
    expect(patient).to.include({ email: 'a@example.org; b@example.org', title: 'Flt. Lt. (retired)' });
    expect(notUnderstood(patient)).to.equal(
      ' Sex "Divers" is not understood and counts as U. Age "Adult" is not understood; it is kept as text.',
    );
    expect(notUnderstood(read({ Sex: 'NA', Age: '-' }))).to.equal('');
  });
});
