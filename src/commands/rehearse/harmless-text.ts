/** Characters of a header that a report shows. */
const LONGEST = 120;

/** The text between separators in a header. */
const WORD = /[^\s"'<>(),;]+/g;

/** Six digits and more, as people group them: `98450-12345`, `98450 12345`. Versions are grouped by dots. */
const LONG_NUMBER = /\d(?:[ -]?\d){5,}/g;

/** Without the mail addresses that a program may have put there. */
const withoutAddress = (word: string): string => (/.@./.test(word) ? '…' : word);

/** A program's own words, such as its User-Agent, on one line and without anything that could identify a person. */
export function harmlessText(text: string): string {
  const line = text.replace(/[^\x20-\x7e]+/g, ' ').trim();
  const hidden = line.replace(WORD, withoutAddress).replace(LONG_NUMBER, '…');
  return hidden.length > LONGEST ? `${hidden.slice(0, LONGEST)}…` : hidden;
}

/** Characters of a date that are looked at. */
const LONGEST_DATE = 40;

const FIRST_DAY = '0001-01-01';
const UNSET = /^0001-01-01(?:T00:00:00(?:\.0+)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** The letters that dates are written with, then any other character that is neither a digit, white space nor a sign. */
const LETTERS = /((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)|([AP]M\b|T(?=9)|Z\b)|[^9\s!-/:-@[-`{-~]/gi;

/**
 * How a date is written, without which date it is: `2026-11-20T10:15:00` is `9999-99-99T99:99:99`, `20-Nov-2026` is `99-Mon-9999`. In text that
 * is not a date, the letters are hidden.
 */
export function dateForm(text: string): string {
  if (text.trim() === '') return 'empty';
  if (UNSET.test(text)) return 'unset (0001-01-01)';
  // A time of day that .NET sends has .NET's earliest possible day.
  const first = text.startsWith(FIRST_DAY) ? FIRST_DAY : '';
  const digits = text
    .slice(first.length, LONGEST_DATE)
    .replace(/\p{Nd}/gu, '9')
    .replace(/\s+/g, ' ');
  const form = digits.replace(LETTERS, (_, month?: string, kept?: string) =>
    month === undefined ? (kept ?? 'a') : 'Mon',
  );
  return `${first}${form}${text.length > LONGEST_DATE ? '…' : ''}`;
}
