import { expect } from 'chai';
import fc from 'fast-check';
import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { usualMobile } from '../../src/rules/usual-mobile.ts';

const REGIONS: readonly CountryCode[] = ['IN', 'US', 'GB', 'DE', 'AE', 'BR', 'MX', 'AR', 'IT', 'RU', 'KZ', 'CI', 'SM'];

describe('usualMobile', () => {
  for (const text of ['9845012345', '+919845012345']) {
    it(`reads ${text}`, () => expect(usualMobile(text, 'IN')).to.equal('+919845012345'));
  }

  for (const text of ['09845012345', '919845012345', '98450 12345', '+14155550100', 'x9845012345', '']) {
    it(`leaves ${JSON.stringify(text)} to the library`, () => expect(usualMobile(text, 'IN')).to.equal(undefined));
  }

  it('returns what the library returns, for countries with every kind of prefix', () => {
    let read = 0;
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...REGIONS), digits, fc.boolean(), (region, national, isWhole) => {
        const text = isWhole ? `+${getCountryCallingCode(region)}${national}` : national;
        const usual = usualMobile(text, region);
        if (usual === undefined) return;
        read++;
        const number = parsePhoneNumberFromString(text, { defaultCountry: region, extract: false });
        expect(number?.isValid(), `${region} ${text}`).to.equal(true);
        expect(number?.number, `${region} ${text}`).to.equal(usual);
        expect([undefined, 'MOBILE', 'FIXED_LINE_OR_MOBILE'], `${region} ${text}`).to.include(number?.getType());
      }),
      { numRuns: 20_000 },
    );
    expect(read).to.be.above(100);
  });
});
