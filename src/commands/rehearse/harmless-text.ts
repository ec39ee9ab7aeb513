/** Maximum length of a header in a report, in characters. */
const LONGEST = 120;

/** The text between separators in a header. */
const WORD = /[^\s"'<>(),;]+/g;

/** Six digits or more, grouped as people do: `98450-12345`, `98450 12345`. Versions are grouped by dots. */
const LONG_NUMBER = /\d(?:[ -]?\d){5,}/g;

/** Removes e-mail addresses, which a program may have put there. */
const withoutAddress = (word: string): string => (/.@./.test(word) ? '…' : word);

/** A program's own words, such as its User-Agent, on one line and without anything that could identify a person. */
export function harmlessText(text: string): string {
  const line = text.replace(/[^\x20-\x7e]+/g, ' ').trim();
  const hidden = line.replace(WORD, withoutAddress).replace(LONG_NUMBER, '…');
  return hidden.length > LONGEST ? `${hidden.slice(0, LONGEST)}…` : hidden;
}

/** Number of characters of a date that are examined. */
const LONGEST_DATE = 40;

const FIRST_DAY = '0001-01-01';
const UNSET = /^0001-01-01(?:T00:00:00(?:\.0+)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** The letters with which dates are written, then any other character that is not a digit, white space or a punctuation mark of dates. */
const LETTERS = /((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)|([AP]M\b|T(?=9)|Z\b)|[^9\s!-/:-@[-`{-~]/gi;

/**
 * How a date is written, without which date it is: `2026-11-20T10:15:00` becomes `9999-99-99T99:99:99`, `20-Nov-2026` becomes
 * `99-Mon-9999`. In text that is not a date, the letters are hidden.
 */
export function dateForm(text: string | undefined): string {
  if (text === undefined) return 'missing';
  if (text.trim() === '') return 'empty';
  if (UNSET.test(text)) return 'unset (0001-01-01)';
  // If .NET sends only a time of day, its date is the earliest that .NET supports.
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
