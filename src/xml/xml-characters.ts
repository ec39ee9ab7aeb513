// Character classes of XML 1.0 (fifth edition), 2.2 and 2.3. ASCII classes are in a table, because the scanner looks up every character.

/** May begin a name without a colon (Namespaces in XML 1.0, production 4). */
export const NAME_START = 1;
/** May continue a name without a colon. */
export const NAME = 2;
/** White space, production 3. */
const SPACE = 4;
/** Literal in character data: a legal character other than `<`, `&`, `]` and CR. */
export const PLAIN_TEXT = 8;
/** Literal in an attribute value: a legal character other than `<`, `&`, quotes, tab and line breaks. */
export const PLAIN_ATTRIBUTE = 16;
/** Legal in a document, production 2. */
export const LEGAL = 32;

/** Classes of the characters below U+0080, as bits. */
export const ASCII_CLASSES: Uint8Array = asciiClasses();

function asciiClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    const char = String.fromCharCode(code);
    let bits = 0;
    if (/[A-Za-z_]/.test(char)) bits |= NAME_START | NAME;
    if (/[-.0-9]/.test(char)) bits |= NAME;
    if (/[ \t\r\n]/.test(char)) bits |= SPACE;
    if (code >= 0x20 || bits & SPACE) bits |= LEGAL;
    if (bits & LEGAL && !/[<&\]\r]/.test(char)) bits |= PLAIN_TEXT;
    if (bits & LEGAL && !/[<&"'\t\r\n]/.test(char)) bits |= PLAIN_ATTRIBUTE;
    classes[code] = bits;
  }
  return classes;
}

/** Ranges of production 4 above ASCII, each as first and last code point. */
const NAME_START_RANGES: readonly number[] = [
  0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2ff, 0x370, 0x37d, 0x37f, 0x1fff, 0x200c, 0x200d, 0x2070, 0x218f, 0x2c00, 0x2fef,
  0x3001, 0xd7ff, 0xf900, 0xfdcf, 0xfdf0, 0xfffd, 0x10000, 0xeffff,
];
/** What production 4a adds above ASCII. */
const NAME_RANGES: readonly number[] = [0xb7, 0xb7, 0x300, 0x36f, 0x203f, 0x2040];

/** Whether a code point above ASCII may begin a name. */
export function isWideNameStart(codePoint: number): boolean {
  return isWithin(NAME_START_RANGES, codePoint);
}

/** Whether a code point above ASCII may continue a name. */
export function isWideName(codePoint: number): boolean {
  return isWithin(NAME_START_RANGES, codePoint) || isWithin(NAME_RANGES, codePoint);
}

function isWithin(ranges: readonly number[], codePoint: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (codePoint >= (ranges[at] as number) && codePoint <= (ranges[at + 1] as number)) return true;
  }
  return false;
}

/** Whether a code point is a Char of XML 1.0, production 2. */
export function isLegal(codePoint: number): boolean {
  if (codePoint < 0x20) return codePoint === 0x9 || codePoint === 0xa || codePoint === 0xd;
  return (
    codePoint <= 0xd7ff ||
    (codePoint >= 0xe000 && codePoint <= 0xfffd) ||
    (codePoint >= 0x10000 && codePoint <= 0x10ffff)
  );
}

/**
 * For use in the brackets of a regular expression: what production 2 excludes, and all surrogates. Without the `u` flag, it also matches
 * those of a pair, so it only serves as a quick check before `isLegal`.
 */
export const FORBIDDEN_CLASS = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff`;
const SUSPECT = new RegExp(`[${FORBIDDEN_CLASS}]`);

/** The first character of a text that an XML document cannot contain, such as a lone surrogate; undefined if there is none. */
export function forbiddenCharacter(text: string): string | undefined {
  if (!SUSPECT.test(text)) return undefined;
  for (const character of text) if (!isLegal(character.codePointAt(0) as number)) return character;
  return undefined;
}

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
export function isXmlSpace(code: number): boolean {
  return code === 0x20 || code === 0xa || code === 0x9 || code === 0xd;
}
