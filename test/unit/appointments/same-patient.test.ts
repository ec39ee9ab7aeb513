import { expect } from 'chai';
import fc from 'fast-check';
import { type PatientParameters, readPatient } from '../../../src/appointments/read-patient.ts';
import { isSamePatient, type PatientIdentity } from '../../../src/appointments/same-patient.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';

const DAY = 24 * 60 * 60 * 1000;

/** What a booking says, as many days after the first one. */
const identity = (said: Partial<PatientParameters>, days = 0): PatientIdentity => {
  const createdOn = TEST_NOW + days * DAY;
  return { ...readPatient({ Name: 'Asha Rao', ...said }, 'IN', createdOn), createdOn };
};

const PHONE = { contactnumber: '9845067890' };
const NUMBERED = { ...PHONE, RegistrationNumber: 'CGHS-1' };
const ERASED = { nameKey: null, name: null, phone: null, registrationKey: null };

describe('isSamePatient', () => {
  const expectSame = (a: PatientIdentity, b: PatientIdentity, same: boolean) => {
    expect(isSamePatient(a, b)).to.equal(same);
    expect(isSamePatient(b, a)).to.equal(same);
  };

  it('takes ages of two years apart for those of one person, however many days lie between the bookings', () => {
    const said = (Age: string, days: number) => identity({ ...NUMBERED, Age }, days);
    for (const days of [0, 1, 300]) {
      expectSame(said('22', 0), said('20', days), true);
      expectSame(said('22', 0), said('24', days), true);
      expectSame(said('22', 0), said('19', days), false);
    }
  });

  for (const [what, said, other, same] of [
    ['the same number, name and phone', NUMBERED, {}, true],
    ['the same number and name, another phone', NUMBERED, { contactnumber: '9876543211' }, true],
    ['the same number and phone, another name: a family on one card', NUMBERED, { Name: 'Ravi Rao' }, false],
    ['only the same number', NUMBERED, { Name: 'Ravi', contactnumber: '9876543211' }, false],
    ['another number', NUMBERED, { RegistrationNumber: 'CGHS-2' }, false],
    ['the same number as another program prints it', NUMBERED, { RegistrationNumber: 'cghs 1' }, true],
    ['the same name and phone, one of them without a number', NUMBERED, { RegistrationNumber: '' }, true],
    [
      'the same name, one of them without a number',
      NUMBERED,
      { RegistrationNumber: '', contactnumber: '9876543211' },
      false,
    ],
    ['the same phone, one of them without a number', NUMBERED, { RegistrationNumber: '', Name: 'Ravi' }, false],
    ['the same name and phone, neither with a number', PHONE, {}, true],
    ['the same phone, another name, neither with a number', PHONE, { Name: 'Ravi Kumar' }, false],
    ['the same name, another phone, neither with a number', PHONE, { contactnumber: '9876543211' }, false],
    [
      'addresses that differ',
      { ...PHONE, RegistrationNumber: 'asha.pai@sbx' },
      { RegistrationNumber: 'usha.pai@sbx' },
      false,
    ],
    ['one address', { ...PHONE, RegistrationNumber: 'ravi_k@abdm' }, { contactnumber: '9876543211' }, true],
    ['one made-up phone', { contactnumber: '9999999999' }, {}, false],
    ['the digits in order', { contactnumber: '9876543210' }, {}, false],
    ['a number without phones', { ...NUMBERED, contactnumber: '' }, {}, true],
    ['nothing that identifies', {}, {}, false],
    ['a name that says there is none', { ...PHONE, Name: 'Unknown' }, {}, false],
    ['twins that have no names', { ...PHONE, Name: 'Baby Girl 2' }, {}, false],
    ['a test', { ...PHONE, Name: 'Test Patient' }, {}, false],
    ['a name that begins like none', { ...PHONE, Name: 'Newman' }, {}, true],
    ['a number of somebody without a name', { RegistrationNumber: 'ER-1042', Name: 'Unknown' }, {}, true],
  ] as const) {
    it(`is ${same} for ${what}, in either order`, () =>
      expectSame(identity(said), identity({ ...said, ...other }), same));
  }

  it('is false for two whose data was erased', () => {
    const erased = { ...identity(PHONE), ...ERASED };
    expectSame(erased, { ...erased }, false);
  });

  /** What both say, as pairs that agree and pairs that differ. */
  for (const [parameter, agree, differ] of [
    ['Sex', 'M,Male O,F O,M ,F U,F Divers,divers. Divers,', 'M,F Divers,Inter Divers,F Divers,O'],
    [
      'title',
      'Mr,Shri Sri,Thiru Mister,mr. Mrs,Smt Ms,Miss Kum,Tmt Sau,Mrs Mr, Dr,Mrs Dr.,Baby Capt,Mr Lt._Col.,Smt Dr._Mrs,Smt Baby_Boy,babyboy Mx,Mx Mr/Mrs,Mr/Mrs Baby,',
      'Mr,Mrs Baby_1,Baby_2 Baby_I,Baby_II Baby_Boy,Baby_Girl Twin_1,Twin_2 Newborn,Mrs Infant,Mrs Just_Born,Mrs Child,Mrs NB,Mrs Baby,Mrs S/o,D/o B/o,Mrs Mstr,Miss Master,Mr Thiru,Tmt Thiru,Selvi Shri,Selvi Shrimati,Shri Srimati,Sri Sou,Chi. Janab,Begum श्री,श्रीमती திரு,திருமதி السيد,السيدة Sr,Sra Herr,Frau Mister,Missus Mr/Mrs,Mrs Dr_Baby,Dr_Mrs',
    ],
    [
      'Age',
      '34,36 34Y,34_years 34, 6W,20M 0,1D 1954-03-12,12/03/1954 12/03/1954,03-12-1954 12.03.1954,12-Mar-1954 72,12/03/1954 72,1954 1954,Mar_1954 1954,12/03/1954 DOB_12/03/1954,1954 3/12/54,1954-12-03 19540312,DOB_1954 Senior_Citizen,senior_citizen. 12/3/1954,72_(12/03/1954)',
      '34,37 34,433M 6D,3Y 0,34 2026-01-10,2026-10-10 1954-03-12,1954-03-13 12/03/1954,05/11/2018 12-03-1954,05-11-2018 12.03.1954,05.11.2018 19540312,20181105 1954,2018 1954,1955 Mar_1954,Nov_2018 DOB_12/03/1954,DOB_05/11/2018 72_(12/03/1954),8_(05/11/2018) 3/12/54,11/5/18 12/03/1954,8 1954,8 72,DOB_05/11/2018 ७२_वर्ष,८_वर्ष 72_ans,8_ans Age_72,Age_8 72_F,8_F Senior_Citizen,Child Senior_Citizen,8 2050-01-01,1950-01-01 1954_seen_2025,2018_seen_2025',
    ],
  ] as const) {
    for (const [pairs, same] of [
      [agree, true],
      [differ, false],
    ] as const) {
      for (const pair of pairs.split(' ')) {
        const [one, other] = pair.split(',').map((text) => text.replaceAll('_', ' '));
        it(`is ${same} for ${parameter} "${one}" and "${other}", in either order`, () => {
          expectSame(identity({ ...PHONE, [parameter]: one }), identity({ ...PHONE, [parameter]: other }), same);
        });
      }
    }
  }

  for (const [what, said, other, same] of [
    ['titles in front of the names', { Name: 'Mr. Asha Rao' }, { Name: 'Mrs. Asha Rao' }, false],
    ['a title and the same in front of the name', { title: 'Mx' }, { Name: 'Mx Asha Rao' }, true],
    ['a title against the Sex of the other', { title: 'Smt' }, { Sex: 'M' }, false],
    ['a title against its own Sex, which counts', { title: 'Mr', Sex: 'F' }, { Sex: 'F' }, true],
  ] as const) {
    it(`is ${same} for ${what}, in either order`, () =>
      expectSame(identity({ ...PHONE, ...said }), identity({ ...PHONE, ...other }), same));
  }

  it('compares ages as of the days on which they were said', () => {
    expectSame(identity({ ...PHONE, Age: '34' }), identity({ ...PHONE, Age: '38' }, 3 * 365), true);
    expectSame(identity({ ...PHONE, Age: '34' }), identity({ ...PHONE, Age: '30' }, 3 * 365), false);
  });

  const parameter = fc.constantFrom('title', 'Sex', 'Age', 'RegistrationNumber');
  const text = fc.string({
    unit: fc.constantFrom(...'aBmrsXz019٣७é語 ஶ.-/()@'.split('')),
    minLength: 1,
    maxLength: 8,
  });
  const lettersOf = (value: string) =>
    value
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

  it('is false where one letter or digit differs in a value that is on no list', () => {
    fc.assert(
      fc.property(parameter, text, text, (name, one, other) => {
        const [a, b] = [one, other].map((value) => ({ ...PHONE, [name]: value }));
        const [first, second] = [identity(a ?? {}), identity(b ?? {})];
        const isUnderstood = (said: PatientIdentity, value: string) =>
          name === 'Sex'
            ? said.sexText === null
            : name === 'Age'
              ? said.ageText === null || said.ageValue !== null
              : name === 'title'
                ? said.title === null || /^(?:mrs?|ms)$/.test(lettersOf(value))
                : said.registrationKey === null;
        fc.pre(lettersOf(one) !== lettersOf(other) && !isUnderstood(first, one) && !isUnderstood(second, other));
        expectSame(first, second, false);
      }),
      { numRuns: 2000 },
    );
  });

  it('is true for a call that is sent again with the same texts, later or with other blanks, whatever it says', () => {
    fc.assert(
      fc.property(parameter, text, text, fc.nat(300), (name, value, title, days) => {
        const said = { ...PHONE, title, [name]: value };
        expectSame(identity(said), identity({ ...said, [name]: `${value} ` }, days), true);
      }),
      { numRuns: 2000 },
    );
  });
});
