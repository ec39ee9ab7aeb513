import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalSex, isAbsent, parseAge, readEmail } from '../../src/rules/read-patient.ts';
import { ResultCode } from '../../src/vocabulary/result-codes.ts';
import { listed } from '../support/listed.ts';
import { anyCharacter } from '../support/random/any-character.ts';
import { refusalOf } from './refusal-of.ts';

describe('isAbsent', () => {
  it('is true for what staff enter when they have no value', () => {
    for (const text of [
      undefined,
      ...'|  |-|--|.|?|0|00|NA|n/a|N.A.|nil|None|NO|null|not available|Not-Applicable|UNKNOWN'.split('|'),
    ]) {
      expect(isAbsent(text), text).to.equal(true);
    }
  });

  it('is false for what may be a value', () => {
    for (const text of ['N', 'X', 'Nanded', 'No. 5, MG Road', '560001', 'आशा', '0Y']) {
      expect(isAbsent(text), text).to.equal(false);
    }
  });
});

describe('readEmail', () => {
  for (const text of ['a@b.c', "o'brien+x@mail.example.org", 'आशा@उदाहरण.भारत']) {
    it(`accepts ${text}`, () => expect(readEmail(text)).to.equal(text));
  }

  it('treats NOT AVAILABLE and the like as no address', () => {
    for (const text of [undefined, ' None ', 'NOT AVAILABLE', '0']) expect(readEmail(text)).to.equal(undefined);
  });

  it('removes the blanks that pad fixed-width columns', () => expect(readEmail(' a@b.c   ')).to.equal('a@b.c'));

  for (const text of [
    ...listed(`a | @b.c | a@ | a@b | a@@b.c | a@b@c.d | a@b.c@d | a b@c.d | a@b .c | a@.c | a@b. | a@b..c`),
    'a@b.c\r\nBcc: x@y.z',
    'a@b.c\u0000',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(refusalOf(() => readEmail(text))).to.include({ resultCode: ResultCode.InvalidInput, parameter: 'email' });
    });
  }
});

describe('canonicalSex', () => {
  for (const [sex, texts] of Object.entries({
    M: ['M', 'm', 'Male', 'MALE', ' male ', 'M.', 'Boy'],
    F: ['F', 'f', 'Female.', 'FEMALE', 'girl'],
    O: ['O', 'Other', 'others', 'Transgender', 'Trans', 'TG', 'Third Gender', 'third-gender', 'T', 'A', 'N', 'X', 'x'],
    U: ['U', 'Unknown', '', 'NA', '0', undefined],
  })) {
    for (const text of texts) {
      it(`reads ${text === undefined ? 'an absent one' : JSON.stringify(text)} as ${sex}`, () => {
        expect(canonicalSex(text)).to.equal(sex);
      });
    }
  }

  for (const text of ['Q', 'man', 'MF', 'constructor', '1']) {
    it(`refuses ${text} by name`, () => {
      const refusal = refusalOf(() => canonicalSex(text));
      expect(refusal).to.include({ resultCode: ResultCode.InvalidInput, parameter: 'Sex' });
      expect(refusal.message).to.equal(`Parameter Sex: "${text}" is not recognized; expected M, F, O or U.`);
    });
  }
});

describe('parseAge', () => {
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
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${value} ${unit} and keeps it as given`, () => {
      expect(parseAge(text)).to.deep.equal({ text, value, unit });
    });
  }

  it('returns nothing for an absent or blank age', () => {
    for (const text of [undefined, '', 'NA', '0']) expect(parseAge(text)).to.equal(undefined);
  });

  for (const text of ['151', '1801M', '7827W', '54787D', '150Y 1M', '999999999']) {
    it(`refuses ${text} as more than 150 years`, () => {
      const refusal = refusalOf(() => parseAge(text));
      expect(refusal).to.include({ resultCode: ResultCode.InvalidInput, parameter: 'Age' });
      expect(refusal.message).to.include('at most 150 years');
    });
  }

  for (const text of [
    ...listed(`-1 | 3.5M | 3. | .5 | Y | old | 34X | 6M 2Y | 2Y 6 | 34 34 | 1e2 | 34 hours old hours`),
    '9'.repeat(50),
  ]) {
    it(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(refusalOf(() => parseAge(text)).message).to.include('is not an age; expected years such as 34');
    });
  }

  it('throws only refusals', () => {
    const unit = fc.oneof(fc.constantFrom(...'0123456789 YMWDyears'), anyCharacter);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
        let age: ReturnType<typeof parseAge>;
        try {
          age = parseAge(text);
        } catch {
          expect(refusalOf(() => parseAge(text)).parameter).to.equal('Age');
        }
        if (age !== undefined) expect(age.value).to.be.within(0, 54_786);
      }),
    );
  });
});
