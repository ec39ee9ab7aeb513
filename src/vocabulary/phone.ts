import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { asciiDigits } from './text.ts';

/** The characters that a written phone number may contain. Keeps words, extensions and long texts away from the library. */
const PLAUSIBLE = /^[+(]?[\d\s().\-/\u2010-\u2015]{3,40}$/;

/** Whether the name is a region whose numbers are known: ISO 3166-1 alpha-2 in capitals, such as IN. */
export const isPhoneRegion = (name: string): boolean => isSupportedCountry(name);

/** What staff enter where a form insists on a number: one digit repeated, or the digits in order. */
export const isMadeUp = (digits: string): boolean => /^(?:(\d)\1*|1234567890|9876543210)$/.test(digits);

/** A valid number in E.164, such as +919876543210, or undefined. A number without a country code is read as one of `region`. */
export const toE164 = (text: string, region: string): string | undefined => validNumber(text, region)?.number;

/**
 * The first valid number in a text as staff write it, in E.164, or undefined: `9845012345/9845012346`, `98450 12345 (wife)`. Digits that only
 * blanks and dashes separate are one number, unless they are more than any number has. A text may have thousands of such parts, and the
 * library takes 10 µs for each: only the first 10 are tried.
 */
export function firstE164(text: string, region: string): string | undefined {
  const pieces = plain(text).split(/[^+()\d\s.\-\u2010-\u2015]+|(?=[+])/);
  const tries = pieces.values().flatMap(runsIn).filter(hasLengthOfNumber).take(MOST_TRIES);
  return toE164(text, region) ?? tries.map((run) => toE164(run, region)).find((number) => number !== undefined);
}

const MOST_TRIES = 10;
/** Of a number, with or without its country code. Most: E.164. */
const LEAST_DIGITS = 7;
const MOST_DIGITS = 15;

const digitsIn = (text: string): number => text.replace(/\D+/g, '').length;
const hasLengthOfNumber = (text: string): boolean => digitsIn(text) >= LEAST_DIGITS && digitsIn(text) <= MOST_DIGITS;

/** What may be a number in a piece without words: all of it, or some of its groups of digits that follow one another. */
function* runsIn(piece: string): Generator<string> {
  if (digitsIn(piece) <= MOST_DIGITS) return yield piece.trim();
  const groups = piece.split(/[\s\-\u2010-\u2015]+/).filter((group) => digitsIn(group) > 0);
  for (const from of groups.keys()) {
    let run = '';
    for (const group of groups.slice(from)) {
      run = `${run} ${group}`.trim();
      if (digitsIn(run) > MOST_DIGITS) break;
      yield run;
    }
  }
}

/**
 * A number in E.164 that can receive text messages, or undefined: its numbering plan says that it is mobile, does not distinguish mobile from fixed
 * (as in North America), or does not state its kind.
 */
export function toMobileE164(text: string, region: string): string | undefined {
  const number = validNumber(text, region);
  const type = number?.getType();
  return type === undefined || type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? number?.number : undefined;
}

/** With ASCII digits, without the invisible marks of pasted numbers, and without the `.0` of a number that a program sends as a fraction. */
const plain = (text: string): string =>
  asciiDigits(text)
    .replace(/\p{Cf}+/gu, '')
    .replace(/\.0+$/, '');

function validNumber(text: string, region: string) {
  // The library does not recognize a country code in parentheses, as in (+91) 98765 43210.
  const trimmed = plain(text)
    .trim()
    .replace(/^\((\+\d{1,3})\)/, '$1');
  if (!PLAUSIBLE.test(trimmed)) return undefined;
  const hasZeroInFront = trimmed.startsWith(`0${getCountryCallingCode(region as CountryCode)}`);
  // A form writes a blank as +, so the + of a number that was not encoded is a blank.
  const international = hasZeroInFront ? trimmed.slice(1) : /^\s\d/.test(text) ? trimmed : undefined;
  return [trimmed, ...(international === undefined ? [] : [`+${international}`])]
    .map((one) => parsePhoneNumberFromString(one, { defaultCountry: region as CountryCode, extract: false }))
    .find((number) => number?.isValid());
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
