/**
 * What a terminal or a log obeys or hides instead of showing it: control and format characters such as those that reverse the direction of
 * text, line breaks, and what is no character. Not the two joiners, which the scripts of India need.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/gu;
const NOT_PRINTABLE_ASCII = /[^ -~]/gu;
const ESCAPE = /\\u\{([0-9a-f]{1,6})\}/gi;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** The text on one line, with an escape such as `\u{202e}` for each character that would not be seen. */
export const visibleText = (text: string): string => text.replace(UNSEEN, escaped);

/** JSON with its own escapes for the same characters, but with its line breaks. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN, (character) => (character === '\n' ? character : unitEscapes(character)));

const unitEscapes = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** The text with `replacement` for each character that would not be seen. */
export const withoutUnseen = (text: string, replacement: string): string => text.replace(UNSEEN, replacement);

/** The text in printable ASCII: two texts that look the same, such as with `-` and a hyphen that does not break, become distinguishable. */
export const exactText = (text: string): string => text.replace(NOT_PRINTABLE_ASCII, escaped);

/** The text that `visibleText` or `exactText` wrote. An escape of no character stays as it is. */
export const readVisibleText = (text: string): string =>
  text.replace(ESCAPE, (whole, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
