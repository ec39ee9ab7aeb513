import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { asciiDigits } from '../vocabulary/text.ts';

/** The characters that a written phone number may contain. Keeps words, extensions and long texts away from the library. */
const PLAUSIBLE = /^[+(]?[\d\s().\-/\u2010-\u2015]{3,40}$/;

/** Whether the name is a region whose numbers are known: ISO 3166-1 alpha-2 in capitals, such as IN. */
export const isPhoneRegion = (name: string): boolean => isSupportedCountry(name);

/** A valid number in E.164, such as +919876543210, or undefined. A number without a country code is read as one of `region`. */
export const toE164 = (text: string, region: string): string | undefined => validNumber(text, region)?.number;

/**
 * A number in E.164 that can receive text messages, or undefined: its numbering plan says that it is mobile, does not distinguish mobile from fixed
 * (as in North America), or does not state its kind.
 */
export function toMobileE164(text: string, region: string): string | undefined {
  const number = validNumber(text, region);
  const type = number?.getType();
  return type === undefined || type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? number?.number : undefined;
}

function validNumber(text: string, region: string) {
  // Pasted numbers have invisible marks. The library does not recognize a country code in parentheses, as in (+91) 98765 43210.
  const trimmed = asciiDigits(text)
    .replace(/\p{Cf}+/gu, '')
    .trim()
    .replace(/^\((\+\d{1,3})\)/, '$1');
  if (!PLAUSIBLE.test(trimmed)) return undefined;
  const number = parsePhoneNumberFromString(trimmed, { defaultCountry: region as CountryCode, extract: false });
  return number?.isValid() ? number : undefined;
}

const NATIONAL_EXAMPLE = '9845012345';
const E164_EXAMPLE = '+919845012345';

/** Examples, for messages, of mobile numbers that are accepted in the region. */
export const phoneExamples = (region: string): string =>
  toMobileE164(NATIONAL_EXAMPLE, region) === E164_EXAMPLE ? `${NATIONAL_EXAMPLE} or ${E164_EXAMPLE}` : E164_EXAMPLE;

/** The digits of a number in E.164 without its country code: 9876543210. */
export const nationalNumber = (e164: string): string =>
  parsePhoneNumberFromString(e164)?.nationalNumber ?? e164.replace(/\D+/g, '');

/** A number in E.164 as callers in the region write it, in digits: 9876543210 in IN, 02079460000 in GB. Those of other countries stay. */
export function inRegion(e164: string, region: string): string {
  const number = parsePhoneNumberFromString(e164);
  return number?.countryCallingCode === getCountryCallingCode(region as CountryCode)
    ? number.formatNational({ nationalPrefix: false }).replace(/\D+/g, '')
    : e164;
}

/** The number with a `*` for every digit but the last 4: +********3210. */
export function maskPhone(e164: string): string {
  return e164.replace(/\d(?=\d{4})/g, '*');
}
