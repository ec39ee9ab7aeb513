import { expect } from 'chai';
import { isSamePatient, type PatientIdentity } from '../../../src/appointments/same-patient.ts';
import { nameKey } from '../../../src/vocabulary/patients.ts';

describe('isSamePatient', () => {
  const asha: PatientIdentity = {
    registrationKey: 'CGHS-1',
    nameKey: 'asharao',
    name: 'Asha Rao',
    title: null,
    phone: '+919845067890',
    sex: 'F',
    ageValue: 34,
    ageUnit: 'Y',
  };
  const unnumbered = { ...asha, registrationKey: null };
  const unsexed = { ...asha, sex: 'U' };
  const titled = (title: string | null) => ({ ...unsexed, title });
  const nameless = (name: string) => ({ ...unnumbered, name, nameKey: nameKey(name) });
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
    ['the age 0 of a newborn and the mother', asha, age(0, 'Y'), false],
    ['Mr against Mrs', titled('Mr'), titled('Mrs.'), false],
    ['titles in front of the names', { ...unsexed, name: 'Mr. Asha Rao' }, { name: 'Mrs. Asha Rao' }, false],
    ['Shri against Selvi', titled('SHRI'), titled('Selvi'), false],
    ['a title against the Sex of the other', titled('Smt'), { title: null, sex: 'M' }, false],
    ['a title against its own Sex, which counts', { ...asha, title: 'Mr' }, { title: 'Mrs' }, true],
    ['Miss and Mrs', titled('Miss'), titled('Mrs'), true],
    ['Baby against Mrs', titled('Baby'), titled('Mrs'), false],
    ['Master against Mr', titled('Master'), titled('Mr'), false],
    ['B/o against Dr', titled('B/o'), titled('Dr.'), false],
    ['a title against none', titled('Mr'), titled(null), true],
    ['a title that says both', titled('Mr/Mrs'), titled('Mrs'), true],
    ['one made-up phone', { ...unnumbered, phone: '+919999999999' }, {}, false],
    ['the digits in order', { ...unnumbered, phone: '+919876543210' }, {}, false],
    ['a number without phones', { ...asha, phone: null }, {}, true],
    ['nothing that identifies', { ...unnumbered, phone: null }, {}, false],
    ['a name that says there is none', nameless('Unknown'), {}, false],
    ['twins that have no names', nameless('Baby Girl 2'), {}, false],
    ['a test', nameless('Test Patient'), {}, false],
    ['a name that begins like none', nameless('Newman'), {}, true],
    ['a number of somebody without a name', { ...nameless('Unknown'), registrationKey: 'ER-1042' }, {}, true],
    [
      'two whose data was erased',
      { ...asha, nameKey: null, name: null, phone: null, registrationKey: null },
      {},
      false,
    ],
  ] as const) {
    it(`is ${same} for ${what}, in either order`, () => {
      const b = { ...a, ...other };
      expect(isSamePatient(a, b)).to.equal(same);
      expect(isSamePatient(b, a)).to.equal(same);
    });
  }
});
