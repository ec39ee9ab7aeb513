import { FORBIDDEN_CLASS, isLegal } from './xml-characters.ts';

const NEEDS_CARE_IN_TEXT = new RegExp(`[&<>\\r${FORBIDDEN_CLASS}]`);
const NEEDS_CARE_IN_ATTRIBUTE = new RegExp(`[&<>"'\\t\\n\\r${FORBIDDEN_CLASS}]`);

/**
 * Character data that a parser reads back as `text`. CR is written as a reference, because a parser would otherwise read it as LF: XML 1.0,
 * 2.11. Throws an Error for characters that do not match XML 1.0, production 2, including lone surrogates.
 */
export function escapeText(text: string): string {
  return NEEDS_CARE_IN_TEXT.test(text) ? withReferences(text, NEEDS_CARE_IN_TEXT) : text;
}

/** The same for an attribute value between quotes of either kind. Tab and LF become references, too: XML 1.0, 3.3.3. */
export function escapeAttribute(text: string): string {
  return NEEDS_CARE_IN_ATTRIBUTE.test(text) ? withReferences(text, NEEDS_CARE_IN_ATTRIBUTE) : text;
}

const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  ['\t', '&#x9;'],
  ['\n', '&#xA;'],
  ['\r', '&#xD;'],
]);

function withReferences(text: string, needsCare: RegExp): string {
  let escaped = '';
  for (const char of text) {
    if (!isLegal(char.codePointAt(0) as number)) throw new Error('A text contains a character that XML 1.0 forbids.');
    escaped += (needsCare.test(char) ? REFERENCES.get(char) : undefined) ?? char;
  }
  return escaped;
}
