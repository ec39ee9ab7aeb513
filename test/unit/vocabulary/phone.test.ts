import { expect } from 'chai';
import fc from 'fast-check';
import {
  inRegion,
  isPhoneRegion,
  maskPhone,
  phoneExamples,
  toE164,
  toMobileE164,
} from '../../../src/vocabulary/phone.ts';
import { listed } from '../../support/listed.ts';
import { anyCharacter } from '../../support/random/any-character.ts';

describe('toE164', () => {
  for (const [text, expected] of [
    ['9876543210', '+919876543210'],
    ['09876543210', '+919876543210'],
    ['+91 98765 43210', '+919876543210'],
    ['0091-98765-43210', '+919876543210'],
    ['0919876543210', '+919876543210'],
    ['091 98765 43210', '+919876543210'],
    [' (+91) 9876543210 ', '+919876543210'],
    ['044 2345 6789', '+914423456789'],
    ['\u202a9876543210\u202c', '+919876543210'],
    ['\u200e+91\u200b 98765\u200b43210', '+919876543210'],
    ['९८७६५४३२१०', '+919876543210'],
    ['＋91 ٩٨٧٦٥٤٣٢١٠', '+919876543210'],
    ['+1 212 555 0123', '+12125550123'],
    ['+44 20 7946 0958', '+442079460958'],
    ['9876543210.0', '+919876543210'],
    ['9876543210.00', '+919876543210'],
  ] as const) {
    it(`reads ${text} as ${expected}`, () => expect(toE164(text, 'IN')).to.equal(expected));
  }

  it('reads a number without a country code as one of the region', () => {
    expect(toE164('020 7946 0958', 'GB')).to.equal('+442079460958');
  });

  for (const text of [
    '',
    ...listed(`
    12 | 12345 | 98765432101234567890 | call me | 98765x43210 | 9876543210 ext 5 | 9876543210;ext=5
    98765+43210
  `),
    '9'.repeat(1000),
    '0000000000',
    "9876543210' OR 1=1--",
  ]) {
    it(`refuses ${JSON.stringify(text.slice(0, 24))}`, () => expect(toE164(text, 'IN')).to.equal(undefined));
  }

  it('never throws, and returns only E.164', () => {
    const unit = fc.oneof(fc.constantFrom(...'0123456789+-() '), anyCharacter);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), fc.constantFrom('IN', 'US', 'DE'), (text, region) => {
        const number = toE164(text, region);
        if (number !== undefined) expect(number).to.match(/^\+[1-9][0-9]{4,14}$/);
      }),
    );
  });

  it('reads its own results back', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[6-9][0-9]{9}$/), (text) => {
        const number = toE164(text, 'IN');
        if (number !== undefined) expect(toE164(number, 'US')).to.equal(number);
      }),
    );
  });
});

describe('toMobileE164', () => {
  it("accepts a mobile number, and one whose type its country's plan does not determine", () => {
    expect(toMobileE164('98765 43210', 'IN')).to.equal('+919876543210');
    expect(toMobileE164('+1 212 555 0123', 'IN')).to.equal('+12125550123');
  });

  it('refuses fixed, toll-free and invalid numbers', () => {
    for (const text of ['044 2345 6789', '1800123456', '12345', '+44 20 7946 0958', '']) {
      expect(toMobileE164(text, 'IN'), text).to.equal(undefined);
    }
  });
});

describe('phoneExamples', () => {
  for (const [region, expected] of [
    ['IN', '9845012345 or +919845012345'],
    ['GB', '+919845012345'],
    ['US', '+919845012345'],
  ] as const) {
    it(`names numbers that are accepted in ${region}`, () => {
      expect(phoneExamples(region)).to.equal(expected);
      const numbers = phoneExamples(region).split(' or ');
      expect(numbers.map((number) => toMobileE164(number, region))).to.not.include(undefined);
    });
  }
});

describe('inRegion', () => {
  for (const [region, e164, expected] of [
    ['IN', '+919845012310', '9845012310'],
    ['GB', '+442079460000', '02079460000'],
    ['US', '+12015550123', '2015550123'],
    ['IN', '+442079460000', '+442079460000'],
  ] as const) {
    it(`writes ${e164} as ${expected} in ${region}, and reads it back`, () => {
      expect(inRegion(e164, region)).to.equal(expected);
      expect(toE164(expected, region)).to.equal(e164);
    });
  }
});

describe('isPhoneRegion', () => {
  it('recognizes regions by two capital letters', () => {
    expect(['IN', 'DE', 'in', 'XX', '', 'INDIA'].filter(isPhoneRegion)).to.deep.equal(['IN', 'DE']);
  });
});

describe('maskPhone', () => {
  it('shows only the last 4 digits', () => expect(maskPhone('+919876543210')).to.equal('+********3210'));

  it('leaves only the last 4 digits of any number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9][0-9]{4,14}$/), (number) => {
        expect(maskPhone(number)).to.equal(`+${'*'.repeat(number.length - 5)}${number.slice(-4)}`);
      }),
    );
  });
});
