import { ServiceError } from '../vocabulary/errors.ts';
import { quoted } from '../vocabulary/text.ts';
import { readXmlDeclaration } from './decode-xml-bytes.ts';
import { NamespaceScope } from './namespace-scope.ts';
import { FORBIDDEN_CHARACTER, NAME_REST, NAME_START, trimXmlSpace } from './xml-characters.ts';

interface XmlLimits {
  /** Levels of nested elements; the root is level 1. */
  readonly depth: number;
  /** Number of elements in a document. */
  readonly elements: number;
  /** Number of attributes and namespace declarations of an element. */
  readonly attributes: number;
  /** Length of a name with its prefix in UTF-16 code units. */
  readonly name: number;
}

/** The limits for a message: far above what a request needs, and far below what would take noticeable time. */
export const XML_LIMITS: XmlLimits = { depth: 16, elements: 200, attributes: 32, name: 128 };

/** What `next()` found. A self-closing element yields a StartTag and an EndTag. */
export const Token = { StartTag: 1, EndTag: 2, Text: 3, End: 4 } as const;
export type TokenKind = (typeof Token)[keyof typeof Token];

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

// Sticky: both match at a position. White space has no CR, which is turned into LF first. Only a mismatch, after which nothing else is read,
// backtracks, in time linear in the length of the text.
const NAME = `[${NAME_START}][${NAME_START}${NAME_REST}]*`;
const TAG_NAME = new RegExp(`<${NAME}(?::${NAME})?`, 'uy');
const ATTRIBUTE = new RegExp(`[ \\t\\n]+(${NAME})(?::(${NAME}))?[ \\t\\n]*=[ \\t\\n]*(?:"([^<"]*)"|'([^<']*)')`, 'uy');
const TAB_OR_LF = /[\t\n]/g;
const CHARACTER_REFERENCE = /^#(?:x[0-9A-Fa-f]+|[0-9]+);/;

interface Attribute {
  readonly localName: string;
  /** Empty for none. */
  readonly namespace: string;
  /** Normalized. Source: XML 1.0, 3.3.3, for CDATA. */
  readonly value: string;
}

const NO_ATTRIBUTES: readonly Attribute[] = [];

/** An attribute whose namespace is not known yet. */
type WrittenAttribute = Omit<Attribute, 'namespace'> & { readonly prefix: string };

/**
 * Pull scanner for XML 1.0 (fifth edition) with Namespaces in XML 1.0 (third edition). It reads a decoded document in one pass, in time
 * linear in its length, and checks it to the last character: a document is well-formed if `next()` has returned `Token.End`.
 * Document type declarations and processing instructions are refused: SOAP 1.1, 3; SOAP 1.2 part 1, 5.
 * Throws ServiceError `Malformed` with line and column, or `TooLarge` for what exceeds its limits.
 * A scanner can be used again after `reset`, even after an error.
 */
export class XmlScanner {
  /** Local name of the element that the last StartTag began. */
  localName = '';
  /** Its prefix, empty for none. */
  prefix = '';
  /** Its namespace name, empty for none. */
  namespace = '';
  /** Number of open elements, including the one that the last StartTag began. */
  depth = 0;
  /** Attributes of that element, without namespace declarations. */
  attributes = NO_ATTRIBUTES;
  /** Character data of the last Text: references and CDATA resolved, line ends as LF. */
  text = '';

  #source = '';
  #position = 0;
  #endPending = false;
  #elementCount = 0;

  // By level: the name that the end tag must repeat, and how many declarations are in scope around the element.
  readonly #openNames: string[] = [];
  readonly #outerDeclarations: number[] = [];
  readonly #scope = new NamespaceScope();

  /** Begins a new document. */
  reset(source: string): void {
    // XML 1.0, 2.11.
    this.#source = source.includes('\r') ? source.replaceAll(/\r\n?/g, '\n') : source;
    this.#position = readXmlDeclaration(this.#source)?.length ?? 0;
    this.#endPending = false;
    this.#elementCount = 0;
    this.attributes = NO_ATTRIBUTES;
    this.depth = 0;
    this.text = '';
    this.#scope.endAt(0);
    const forbidden = FORBIDDEN_CHARACTER.exec(this.#source);
    if (forbidden !== null) {
      const hex = forbidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      throw this.#malformed(forbidden.index, 'character', `the character U+${hex} is forbidden`);
    }
  }

  /** Reads up to the next tag, run of text, or the end of the document. Text is never empty and never follows text. */
  next(): TokenKind {
    if (this.#endPending) {
      this.#endPending = false;
      return this.#closeElement();
    }
    if (this.depth === 0) return this.#outsideRoot();
    const at = this.#position;
    if (this.#source[at] !== '<') return this.#content();
    const following = this.#source[at + 1];
    if (following === '/') return this.#endTag(at);
    return following === '!' || following === '?' ? this.#content() : this.#startTag(at);
  }

  /** Whether the last Text is only white space. */
  get isBlank(): boolean {
    return trimXmlSpace(this.text) === '';
  }

  /** The namespace to which a prefix is bound at the last StartTag; '' means the default namespace. Undefined if it is not bound. */
  namespaceOf(prefix: string): string | undefined {
    return prefix === 'xml' ? XML_NAMESPACE : this.#scope.namespaceOf(prefix);
  }

  // --- Tags

  #startTag(at: number): TokenKind {
    if (this.depth === XML_LIMITS.depth) {
      throw this.#tooLarge('depth', `nested more than ${XML_LIMITS.depth} levels deep`);
    }
    if (++this.#elementCount > XML_LIMITS.elements) {
      throw this.#tooLarge('elements', `of more than ${XML_LIMITS.elements} elements`);
    }
    TAG_NAME.lastIndex = at;
    if (!TAG_NAME.test(this.#source)) throw this.#unexpected(at + 1, 'instead of a name');
    const end = TAG_NAME.lastIndex;
    const name = this.#source.slice(at + 1, end);
    this.#limitName(name);
    const colon = name.indexOf(':');
    this.prefix = colon === -1 ? '' : name.slice(0, colon);
    this.localName = name.slice(colon + 1);
    const level = ++this.depth;
    this.#openNames[level] = name;
    this.#outerDeclarations[level] = this.#scope.count;
    this.attributes = NO_ATTRIBUTES;
    if (this.#source[end] === '>') this.#position = end + 1;
    else this.#restOfStartTag(end, name);
    this.namespace = this.#boundNamespace(this.prefix, at);
    return Token.StartTag;
  }

  #restOfStartTag(start: number, name: string): void {
    const attributes: WrittenAttribute[] = [];
    const end = this.#afterSpace(this.#readAttributes(start, attributes));
    this.#endPending = this.#source.startsWith('/>', end);
    if (!this.#endPending && this.#source[end] !== '>') {
      const problem = `neither an attribute nor the end of the start tag of ${quoted(name)} follows`;
      throw this.#malformed(end, 'attribute', problem);
    }
    this.#position = end + (this.#endPending ? 2 : 1);
    if (attributes.length > 0) this.#resolveAttributes(attributes, start);
  }

  #endTag(at: number): TokenKind {
    const name = this.#openNames[this.depth] as string;
    const end = this.#afterSpace(at + 2 + name.length);
    if (!this.#source.startsWith(name, at + 2) || this.#source[end] !== '>') {
      throw this.#malformed(at, 'end-tag', `an end tag other than </${quoted(name)}> follows`);
    }
    this.#position = end + 1;
    return this.#closeElement();
  }

  #closeElement(): TokenKind {
    this.#scope.endAt(this.#outerDeclarations[this.depth] as number);
    this.depth--;
    return Token.EndTag;
  }

  // --- Attributes and namespaces

  /** Reads the attributes and declarations that begin at a position into a list. Returns the position after them. */
  #readAttributes(start: number, attributes: WrittenAttribute[]): number {
    let at = start;
    for (let count = 0; ; count++) {
      ATTRIBUTE.lastIndex = at;
      const match = ATTRIBUTE.exec(this.#source);
      if (match === null) return at;
      if (count === XML_LIMITS.attributes) {
        throw this.#tooLarge('attributes', `with more than ${XML_LIMITS.attributes} attributes on an element`);
      }
      const [whole, first = '', second, doubleQuoted, singleQuoted = ''] = match;
      const name = second === undefined ? first : `${first}:${second}`;
      this.#limitName(name);
      // XML 1.0, 3.3.3: white space that is not given by a reference becomes a space.
      const value = this.#resolved((doubleQuoted ?? singleQuoted).replaceAll(TAB_OR_LF, ' '), at);
      if (first === 'xmlns') this.#declareNamespace(second ?? '', value, at);
      else if (second === undefined) attributes.push({ prefix: '', localName: first, value });
      else attributes.push({ prefix: first, localName: second, value });
      at += whole.length;
    }
  }

  // Namespaces in XML 1.0, 2.2 and 3.
  #declareNamespace(prefix: string, namespace: string, at: number): void {
    if (this.#scope.isDeclaredSince(this.#outerDeclarations[this.depth] as number, prefix)) {
      throw this.#malformed(at, 'namespace', `the prefix "${quoted(prefix)}" is declared twice`);
    }
    const isXml = namespace === XML_NAMESPACE;
    if (prefix === 'xmlns' || namespace === XMLNS_NAMESPACE || isXml !== (prefix === 'xml')) {
      throw this.#malformed(at, 'namespace', 'the prefixes xml and xmlns and their namespaces are reserved');
    }
    if (prefix !== '' && namespace === '') {
      throw this.#malformed(at, 'namespace', `the prefix ${quoted(prefix)} is bound to an empty namespace`);
    }
    this.#scope.declare(prefix, namespace);
  }

  /** The namespaces of attributes are known when all declarations of the element have been read. */
  #resolveAttributes(attributes: readonly WrittenAttribute[], at: number): void {
    const resolved: Attribute[] = [];
    for (const { prefix, localName, value } of attributes) {
      const namespace = prefix === '' ? '' : this.#boundNamespace(prefix, at);
      if (resolved.some((other) => other.localName === localName && other.namespace === namespace)) {
        throw this.#malformed(at, 'attribute', `the attribute ${quoted(localName)} is given twice`);
      }
      resolved.push({ localName, namespace, value });
    }
    this.attributes = resolved;
  }

  #boundNamespace(prefix: string, at: number): string {
    const namespace = this.namespaceOf(prefix);
    if (namespace !== undefined) return namespace;
    throw this.#malformed(at, 'namespace', `the prefix ${quoted(prefix)} is not bound to a namespace`);
  }

  // --- Content

  /** Character data, CDATA and comments up to the next tag. */
  #content(): TokenKind {
    const source = this.#source;
    let text = '';
    for (;;) {
      const end = this.#find('<', this.#position);
      const raw = source.slice(this.#position, end);
      const wrong = raw.indexOf(']]>');
      if (wrong !== -1) throw this.#malformed(this.#position + wrong, 'text', '"]]>" appears in text');
      text += this.#resolved(raw, this.#position);
      this.#position = end;
      if (source[end + 1] !== '!' && source[end + 1] !== '?') {
        this.text = text;
        return text === '' ? this.next() : Token.Text;
      }
      if (source.startsWith('<!--', end)) {
        this.#skipComment(end);
      } else if (source.startsWith('<![CDATA[', end)) {
        const close = this.#find(']]>', end + 9);
        text += source.slice(end + 9, close);
        this.#position = close + 3;
      } else {
        throw this.#refusedMarkup(end);
      }
    }
  }

  #skipComment(open: number): void {
    const end = this.#find('--', open + 4);
    if (this.#source[end + 2] !== '>') throw this.#malformed(end, 'comment', '"--" appears in a comment');
    this.#position = end + 3;
  }

  /** A text from a position with the characters that its references stand for. */
  #resolved(raw: string, at: number): string {
    const [start = '', ...parts] = raw.split('&');
    let text = start;
    let offset = at + start.length;
    for (const part of parts) {
      const end = part.indexOf(';');
      text += PREDEFINED_ENTITIES.get(part.slice(0, Math.max(end, 0))) ?? this.#character(part, offset);
      text += part.slice(end + 1);
      offset += part.length + 1;
    }
    return text;
  }

  /** The character of a character reference: what stands behind its ampersand. */
  #character(part: string, at: number): string {
    if (part[0] !== '#') {
      const expected = '"&" begins none of &amp; &lt; &gt; &quot; &apos; and character references';
      throw this.#malformed(at, 'reference', expected);
    }
    const digits = CHARACTER_REFERENCE.test(part) ? part.slice(1, part.indexOf(';')) : '';
    const codePoint = digits[0] === 'x' ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
    const character = codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
    if (character !== undefined && !FORBIDDEN_CHARACTER.test(character)) return character;
    throw this.#malformed(at, 'reference', 'a character reference names a character that XML 1.0 forbids');
  }

  // --- Outside the root element

  #outsideRoot(): TokenKind {
    const source = this.#source;
    for (;;) {
      const at = this.#afterSpace(this.#position);
      if (source.startsWith('<!--', at)) {
        this.#skipComment(at);
      } else if (at === source.length) {
        if (this.#elementCount === 0) throw this.#malformed(at, 'empty', 'it contains no element');
        return Token.End;
      } else if (source[at] !== '<') {
        throw this.#unexpected(at, 'outside the root element');
      } else if (source[at + 1] === '!' || source[at + 1] === '?') {
        throw this.#refusedMarkup(at);
      } else if (this.#elementCount > 0) {
        throw this.#malformed(at, 'root', 'markup follows the root element');
      } else {
        return this.#startTag(at);
      }
    }
  }

  /** The first position, from one on, that is not white space. */
  #afterSpace(from: number): number {
    let at = from;
    while (isSpace(this.#source.charCodeAt(at))) at++;
    return at;
  }

  /** The next position of what must still follow. */
  #find(expected: string, at: number): number {
    const found = this.#source.indexOf(expected, at);
    if (found === -1) throw this.#unexpected(this.#source.length, '');
    return found;
  }

  // --- Errors

  #limitName(name: string): void {
    if (name.length <= XML_LIMITS.name) return;
    throw this.#tooLarge('name', `with a name of more than ${XML_LIMITS.name} characters`);
  }

  #unexpected(at: number, where: string): ServiceError {
    const codePoint = this.#source.codePointAt(at);
    if (codePoint !== undefined) {
      return this.#malformed(at, 'syntax', `"${quoted(String.fromCodePoint(codePoint))}" appears ${where}`);
    }
    const open = this.depth === 0 ? undefined : this.#openNames[this.depth];
    return this.#malformed(
      at,
      'end',
      open === undefined ? 'it ends too early' : `it ends inside the element ${quoted(open)}`,
    );
  }

  #refusedMarkup(at: number): ServiceError {
    if (this.#source.startsWith('<!DOCTYPE', at)) {
      return this.#malformed(at, 'doctype', 'a document type declaration is not allowed in a SOAP message');
    }
    if (this.#source[at + 1] === '!') {
      return this.#malformed(at, 'syntax', '"<!" does not begin any allowed markup');
    }
    if (/^<\?xml(?:[\t\n ?]|$)/.test(this.#source.slice(at, at + 6))) {
      return this.#malformed(at, 'declaration', 'an XML declaration is wrong, or not at the very beginning');
    }
    return this.#malformed(at, 'processing-instruction', 'a processing instruction is not allowed in a SOAP message');
  }

  #malformed(at: number, reason: string, problem: string): ServiceError {
    const lines = this.#source.slice(0, at).split('\n');
    // Both start at 1. The column counts code points.
    const column = Array.from(lines.at(-1) ?? '').length + 1;
    const where = `line ${lines.length}, column ${column}`;
    return new ServiceError('Malformed', `The XML cannot be read at ${where}: ${problem}.`, { reason });
  }

  #tooLarge(limit: keyof XmlLimits, what: string): ServiceError {
    return new ServiceError('TooLarge', `A message ${what} is refused.`, { reason: limit });
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09;

const PREDEFINED_ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);
