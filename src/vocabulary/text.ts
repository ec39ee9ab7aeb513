/**
 * What a terminal or a log obeys or hides instead of showing it: control and format characters such as those that reverse the direction of
 * text, line breaks, and code points that are not characters. The two joiners are excluded, because the scripts of India need them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/gu;
const NOT_PRINTABLE_ASCII = /[^ -~]/gu;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** The text on one line, with an escape such as `\u{202e}` for each invisible character. */
export const visibleText = (text: string): string => text.replace(UNSEEN, escaped);

/** JSON with its own escapes for the same characters, except for its line breaks. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN, (character) => (character === '\n' ? character : unitEscapes(character)));

const unitEscapes = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** The text in printable ASCII, so that texts that look the same, such as with `-` and a non-breaking hyphen, become distinguishable. */
export const exactText = (text: string): string => text.replace(NOT_PRINTABLE_ASCII, escaped);

/** A value in a form that may be shown to its sender: truncated to 64 characters, with U+FFFD for each invisible character. */
export function quoted(value: string): string {
  const cut = value.length > 64 ? `${Array.from(value.slice(0, 128)).slice(0, 64).join('')}…` : value;
  return cut.replace(UNSEEN, '\ufffd');
}

/** The text as it was sent, or undefined if it is absent, empty, or only white space. */
export const nonBlank = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text;

/** All line ends as LF. */
export const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** What a message says it expected: nothing, one word as it is, two as "A or B", more as "one of A, B, C". */
export const oneOf = (words: readonly string[]): string =>
  words.length === 0 ? 'nothing' : words.length < 3 ? words.join(' or ') : `one of ${words.join(', ')}`;

/** A number with its noun: "1 row", "2 rows". */
export const quantity = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

const DIGIT = /\p{Nd}/u;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

/** The text with 0 to 9 in place of full-width digits and the digits of all scripts. */
export const asciiDigits = (text: string): string => text.normalize('NFKC').replace(OTHER_DIGITS, digitValue);

/** Unicode's decimal digits are in ranges of ten, from zero to nine. Two ranges may be adjacent. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}
