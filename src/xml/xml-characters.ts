// Character classes of XML 1.0 (fifth edition), 2.2 and 2.3, for the brackets of regular expressions with the flag u.

/** What production 2 excludes. With the flag u, the surrogates are those outside a pair. */
const FORBIDDEN = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff`;
/** Production 4 without the colon: what may begin a name. Source: Namespaces in XML 1.0, production 4. */
export const NAME_START = String.raw`A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}`;
/** What production 4a adds: what may continue a name. */
export const NAME_REST = String.raw`\-.0-9\u00b7\u0300-\u036f\u203f\u2040`;

/** A character that an XML document cannot contain, such as a lone surrogate. */
export const FORBIDDEN_CHARACTER = new RegExp(`[${FORBIDDEN}]`, 'u');

/** The first such character of a text; undefined if there is none. */
export const forbiddenCharacter = (text: string): string | undefined => FORBIDDEN_CHARACTER.exec(text)?.[0];

/**
 * Removes XML white space from both ends, like XSD's `collapse` for a value without inner white space. Not `trim()`, which also removes
 * characters that are not white space in XML.
 */
export function trimXmlSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isXmlSpace(text.charCodeAt(from))) from++;
  while (to > from && isXmlSpace(text.charCodeAt(to - 1))) to--;
  return from === 0 && to === text.length ? text : text.substring(from, to);
}

/** Whether a UTF-16 code unit is white space, XML 1.0 production 3. */
function isXmlSpace(code: number): boolean {
  return code === 0x20 || code === 0xa || code === 0x9 || code === 0xd;
}

/** Most texts contain nothing to escape, and to search for it costs less than to replace nothing. */
const escaping = (special: RegExp) => (text: string) =>
  text.search(special) === -1 ? text : text.replace(special, referenceTo);

/**
 * Character data that a parser reads back as `text`. CR is written as a reference, because a parser would otherwise read it as LF: XML 1.0,
 * 2.11. Throws an Error for characters that XML forbids, including lone surrogates.
 */
export const escapeText = escaping(new RegExp(`[&<>\\r${FORBIDDEN}]`, 'gu'));

/** An attribute value between quotes of either kind, escaped like text. Tab and LF become references, too: XML 1.0, 3.3.3. */
export const escapeAttribute = escaping(new RegExp(`[&<>"'\\t\\n\\r${FORBIDDEN}]`, 'gu'));

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function referenceTo(character: string): string {
  const reference = REFERENCES[character];
  if (reference === undefined) throw new Error('A text contains a character that XML 1.0 forbids.');
  return reference;
}
