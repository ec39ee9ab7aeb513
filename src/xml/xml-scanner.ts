import { ServiceError } from '../vocabulary/errors.ts';
import { shown } from '../vocabulary/text.ts';
import { NamespaceScope } from './namespace-scope.ts';
import { FORBIDDEN, forbiddenCharacter, isXmlSpace, NAME_REST, NAME_START, trimXmlSpace } from './xml-characters.ts';
import { hasXmlDeclaration, readXmlDeclaration } from './xml-declaration.ts';

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

const TAB = 0x9;
const LF = 0xa;
const BANG = 0x21;
const QUOTE = 0x22;
const HASH = 0x23;
const AMP = 0x26;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const LT = 0x3c;
const EQUALS = 0x3d;
const GT = 0x3e;
const QUESTION = 0x3f;
const BRACKET = 0x5d;

// Runs of characters that need no attention, each from a given position. Forbidden characters end them, too.
const NAME = new RegExp(`[${NAME_START}][${NAME_START}${NAME_REST}]*`, 'uy');
const PLAIN_TEXT = new RegExp(`[^<&\\]${FORBIDDEN}]*`, 'uy');
const PLAIN_ATTRIBUTE = new RegExp(`[^<&"'\\t\\n${FORBIDDEN}]*`, 'uy');
const PLAIN_CDATA = new RegExp(`[^\\]${FORBIDDEN}]*`, 'uy');
const PLAIN_COMMENT = new RegExp(`[^-${FORBIDDEN}]*`, 'uy');
const REFERENCE = /&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|(amp|lt|gt|quot|apos));/y;

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
  /** Number of attributes of that element, not counting namespace declarations. */
  attributeCount = 0;
  /** Character data of the last Text: references and CDATA resolved, line ends as LF. */
  text = '';

  #source = '';
  #position = 0;
  #rootSeen = false;
  #endPending = false;
  #elementCount = 0;

  readonly #attributePrefixes: string[] = [];
  readonly #attributeNames: string[] = [];
  readonly #attributeNamespaces: string[] = [];
  readonly #attributeValues: string[] = [];
  #value = '';

  // By level: the name that the end tag must repeat, and how many declarations are in scope around the element.
  readonly #openNames: string[] = [];
  readonly #outerDeclarations: number[] = [];
  readonly #scope = new NamespaceScope();

  /** Begins a new document. */
  reset(source: string): void {
    // XML 1.0, 2.11.
    this.#source = source.includes('\r') ? source.replaceAll(/\r\n?/g, '\n') : source;
    this.#position = 0;
    this.#rootSeen = false;
    this.#endPending = false;
    this.#elementCount = 0;
    this.depth = 0;
    this.attributeCount = 0;
    this.text = '';
    this.#scope.endAt(0);
    if (hasXmlDeclaration(this.#source)) {
      const declaration = readXmlDeclaration(this.#source);
      if (declaration === undefined) throw this.#malformed(0, 'declaration', 'the XML declaration is wrong');
      this.#position = declaration.end;
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
    if (this.#source.charCodeAt(at) === LT) {
      const code = this.#source.charCodeAt(at + 1);
      if (code === SLASH) return this.#endTag(at);
      if (code !== BANG && code !== QUESTION) return this.#startTag(at);
    }
    return this.#content(at);
  }

  /** Whether the last Text is only white space. */
  get isBlank(): boolean {
    return trimXmlSpace(this.text) === '';
  }

  /** Name of an attribute of the last StartTag; `index` is from 0 to `attributeCount` - 1. */
  attributeName(index: number): string {
    return this.#attributeNames[index] as string;
  }

  /** Its namespace name, empty for none. */
  attributeNamespace(index: number): string {
    return this.#attributeNamespaces[index] as string;
  }

  /** Its normalized value. Source: XML 1.0, 3.3.3, for CDATA. */
  attributeValue(index: number): string {
    return this.#attributeValues[index] as string;
  }

  /** The namespace to which a prefix is bound at the last StartTag; '' means the default namespace. Undefined if it is not bound. */
  namespaceOf(prefix: string): string | undefined {
    return prefix === 'xml' ? XML_NAMESPACE : this.#scope.namespaceOf(prefix);
  }

  // --- Tags

  #startTag(at: number): TokenKind {
    const source = this.#source;
    if (this.depth === XML_LIMITS.depth) {
      throw this.#tooLarge('depth', `nested more than ${XML_LIMITS.depth} levels deep`);
    }
    if (++this.#elementCount > XML_LIMITS.elements) {
      throw this.#tooLarge('elements', `of more than ${XML_LIMITS.elements} elements`);
    }
    const nameStart = at + 1;
    let end = this.#nameEnd(nameStart, nameStart);
    if (source.charCodeAt(end) === COLON) {
      this.prefix = source.substring(nameStart, end);
      const localStart = end + 1;
      end = this.#nameEnd(localStart, nameStart);
      this.localName = source.substring(localStart, end);
    } else {
      this.prefix = '';
      this.localName = source.substring(nameStart, end);
    }

    const level = ++this.depth;
    this.#openNames[level] = this.prefix === '' ? this.localName : source.substring(nameStart, end);
    this.#outerDeclarations[level] = this.#scope.count;
    this.attributeCount = 0;

    const code = source.charCodeAt(end);
    if (code === GT) this.#position = end + 1;
    else this.#restOfStartTag(end, code);

    this.namespace = this.#boundNamespace(this.prefix, at);
    return Token.StartTag;
  }

  #restOfStartTag(from: number, first: number): void {
    const source = this.#source;
    let at = from;
    let code = first;
    let count = 0;
    while (code !== GT && code !== SLASH) {
      const next = this.#skipSpace(at);
      code = source.charCodeAt(next);
      if (code === GT || code === SLASH) {
        at = next;
        break;
      }
      if (next === at) throw this.#unexpected(at, `in the start tag of ${this.#openName()}`);
      if (count++ === XML_LIMITS.attributes) {
        throw this.#tooLarge('attributes', `with more than ${XML_LIMITS.attributes} attributes on an element`);
      }
      at = this.#attribute(next);
      code = source.charCodeAt(at);
    }
    if (code === SLASH) {
      if (source.charCodeAt(++at) !== GT) throw this.#unexpected(at, `in the start tag of ${this.#openName()}`);
      this.#endPending = true;
    }
    this.#position = at + 1;
    if (this.attributeCount > 0) this.#resolveAttributes(from);
  }

  #endTag(at: number): TokenKind {
    const name = this.#openNames[this.depth] as string;
    let end = at + 2 + name.length;
    if (this.#source.substring(at + 2, end) !== name) throw this.#wrongEndTag(at);
    if (this.#source.charCodeAt(end) !== GT) {
      const next = this.#skipSpace(end);
      if (this.#source.charCodeAt(next) !== GT) throw this.#unexpected(next, `in the end tag of ${this.#openName()}`);
      end = next;
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

  /** Reads an attribute or declaration. Returns the position after it. */
  #attribute(at: number): number {
    const source = this.#source;
    let prefix = '';
    let localStart = at;
    let end = this.#nameEnd(at, at);
    if (source.charCodeAt(end) === COLON) {
      prefix = source.substring(at, end);
      localStart = end + 1;
      end = this.#nameEnd(localStart, at);
    }
    const localName = source.substring(localStart, end);

    if (source.charCodeAt(end) !== EQUALS) end = this.#skipSpace(end);
    if (source.charCodeAt(end) !== EQUALS) throw this.#unexpected(end, `after the attribute name ${shown(localName)}`);
    let quoteAt = end + 1;
    if (isXmlSpace(source.charCodeAt(quoteAt))) quoteAt = this.#skipSpace(quoteAt);
    const quote = source.charCodeAt(quoteAt);
    if (quote !== QUOTE && quote !== APOSTROPHE) throw this.#unexpected(quoteAt, 'instead of a quoted value');
    const after = this.#quotedValue(quoteAt + 1, quote);

    if (prefix === 'xmlns') this.#declareNamespace(localName, this.#value, at);
    else if (prefix === '' && localName === 'xmlns') this.#declareNamespace('', this.#value, at);
    else this.#addAttribute(prefix, localName, at);
    return after;
  }

  #addAttribute(prefix: string, localName: string, at: number): void {
    const count = this.attributeCount;
    for (let index = 0; index < count; index++) {
      if (this.#attributeNames[index] === localName && this.#attributePrefixes[index] === prefix) {
        throw this.#malformed(at, 'attribute', `the attribute ${shown(localName)} is given twice`);
      }
    }
    this.#attributePrefixes[count] = prefix;
    this.#attributeNames[count] = localName;
    this.#attributeValues[count] = this.#value;
    this.attributeCount = count + 1;
  }

  // Namespaces in XML 1.0, 2.2 and 3.
  #declareNamespace(prefix: string, namespace: string, at: number): void {
    if (this.#scope.isDeclaredSince(this.#outerDeclarations[this.depth] as number, prefix)) {
      throw this.#malformed(at, 'namespace', `the prefix "${shown(prefix)}" is declared twice`);
    }
    const isXml = namespace === XML_NAMESPACE;
    if (prefix === 'xmlns' || namespace === XMLNS_NAMESPACE || isXml !== (prefix === 'xml')) {
      throw this.#malformed(at, 'namespace', 'the prefixes xml and xmlns and their namespaces are reserved');
    }
    if (prefix !== '' && namespace === '') {
      throw this.#malformed(at, 'namespace', `the prefix ${shown(prefix)} is bound to an empty namespace`);
    }
    this.#scope.declare(prefix, namespace);
  }

  #resolveAttributes(at: number): void {
    for (let index = 0; index < this.attributeCount; index++) {
      const prefix = this.#attributePrefixes[index] as string;
      if (prefix === '') {
        this.#attributeNamespaces[index] = '';
        continue;
      }
      const namespace = this.#boundNamespace(prefix, at);
      const localName = this.#attributeNames[index];
      this.#attributeNamespaces[index] = namespace;
      for (let earlier = 0; earlier < index; earlier++) {
        if (this.#attributeNames[earlier] === localName && this.#attributeNamespaces[earlier] === namespace) {
          throw this.#malformed(at, 'attribute', `the attribute ${shown(localName as string)} is given twice`);
        }
      }
    }
  }

  #boundNamespace(prefix: string, at: number): string {
    const namespace = this.#scope.namespaceOf(prefix);
    if (namespace !== undefined) return namespace;
    if (prefix === 'xml') return XML_NAMESPACE;
    throw this.#malformed(at, 'namespace', `the prefix ${shown(prefix)} is not bound to a namespace`);
  }

  /** Reads an attribute value into `value`. Returns the position after its closing quote. */
  #quotedValue(start: number, quote: number): number {
    const source = this.#source;
    let at = start;
    let value = '';
    for (;;) {
      const end = this.#endOf(PLAIN_ATTRIBUTE, at);
      value += source.substring(at, end);
      const code = source.charCodeAt(end);
      at = end + 1;
      if (code === quote) {
        this.#value = value;
        return at;
      }
      if (code === QUOTE || code === APOSTROPHE) value += source[end];
      else if (code === TAB || code === LF) value += ' ';
      else if (code === AMP) {
        value += this.#reference(end);
        at = this.#position;
      } else if (code === LT) throw this.#malformed(end, 'attribute', 'an attribute value contains "<"');
      else throw this.#unexpected(end, '');
    }
  }

  // --- Content

  #content(start: number): TokenKind {
    const source = this.#source;
    let at = start;
    let text = '';
    for (;;) {
      const end = this.#endOf(PLAIN_TEXT, at);
      text += source.substring(at, end);
      const code = source.charCodeAt(end);
      at = end;
      if (code === LT) {
        const following = source.charCodeAt(end + 1);
        if (following !== BANG && following !== QUESTION) break;
        if (source.startsWith('<!--', end)) {
          at = this.#comment(end);
        } else if (source.startsWith('<![CDATA[', end)) {
          text += this.#cdata(end);
          at = this.#position;
        } else {
          throw this.#refusedMarkup(end);
        }
      } else if (code === AMP) {
        text += this.#reference(end);
        at = this.#position;
      } else if (code === BRACKET) {
        if (source.startsWith(']]>', end)) throw this.#malformed(end, 'text', '"]]>" appears in text');
        text += ']';
        at = end + 1;
      } else {
        throw this.#unexpected(end, '');
      }
    }
    this.#position = at;
    this.text = text;
    return text === '' ? this.next() : Token.Text;
  }

  /** The content of a CDATA section. Leaves `position` after it. */
  #cdata(open: number): string {
    const source = this.#source;
    const start = open + 9;
    let end = this.#endOf(PLAIN_CDATA, start);
    while (!source.startsWith(']]>', end)) {
      if (source.charCodeAt(end) !== BRACKET) throw this.#unexpected(end, '');
      end = this.#endOf(PLAIN_CDATA, end + 1);
    }
    this.#position = end + 3;
    return source.substring(start, end);
  }

  /** The position after a comment. */
  #comment(open: number): number {
    const source = this.#source;
    let end = this.#endOf(PLAIN_COMMENT, open + 4);
    while (!source.startsWith('--', end)) {
      if (source[end] !== '-') throw this.#unexpected(end, '');
      end = this.#endOf(PLAIN_COMMENT, end + 1);
    }
    if (source.charCodeAt(end + 2) !== GT) throw this.#malformed(end, 'comment', '"--" appears in a comment');
    return end + 3;
  }

  /** The character that a reference stands for. Leaves `position` after it. */
  #reference(at: number): string {
    REFERENCE.lastIndex = at;
    const [reference = '', hex, decimal, name] = REFERENCE.exec(this.#source) ?? [];
    this.#position = at + reference.length;
    if (name !== undefined) return PREDEFINED_ENTITIES[name] as string;
    const digits = hex ?? decimal;
    if (digits === undefined && this.#source.charCodeAt(at + 1) !== HASH) {
      throw this.#malformed(
        at,
        'reference',
        '"&" begins none of &amp; &lt; &gt; &quot; &apos; and character references',
      );
    }
    const codePoint = Number.parseInt(digits ?? '', hex === undefined ? 10 : 16);
    const character = codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
    if (character !== undefined && forbiddenCharacter(character) === undefined) return character;
    throw this.#malformed(at, 'reference', 'a character reference names a character that XML 1.0 forbids');
  }

  // --- Outside the root element

  #outsideRoot(): TokenKind {
    const source = this.#source;
    let at = this.#position;
    for (;;) {
      at = this.#skipSpace(at);
      const code = source.charCodeAt(at);
      if (code === LT) {
        const following = source.charCodeAt(at + 1);
        if (following === BANG && source.startsWith('<!--', at)) {
          at = this.#comment(at);
          continue;
        }
        if (following === BANG || following === QUESTION) throw this.#refusedMarkup(at);
        if (!this.#rootSeen) {
          this.#rootSeen = true;
          return this.#startTag(at);
        }
        throw this.#malformed(at, 'root', 'markup follows the root element');
      }
      if (at < source.length) throw this.#unexpected(at, 'outside the root element');
      if (!this.#rootSeen) throw this.#malformed(at, 'empty', 'it contains no element');
      this.#position = at;
      return Token.End;
    }
  }

  // --- Characters

  /** The end of the longest run that matches, from a position. */
  #endOf(run: RegExp, start: number): number {
    run.lastIndex = start;
    return run.test(this.#source) ? run.lastIndex : start;
  }

  /** The end of a name without a colon; `whole` is the beginning of the name with its prefix. */
  #nameEnd(start: number, whole: number): number {
    const end = this.#endOf(NAME, start);
    if (end === start) throw this.#unexpected(start, 'instead of a name');
    if (end - whole > XML_LIMITS.name) {
      throw this.#tooLarge('name', `with a name of more than ${XML_LIMITS.name} characters`);
    }
    return end;
  }

  #skipSpace(start: number): number {
    let at = start;
    while (isXmlSpace(this.#source.charCodeAt(at))) at++;
    return at;
  }

  // --- Errors

  #openName(): string {
    return shown(this.#openNames[this.depth] as string);
  }

  #unexpected(at: number, where: string): ServiceError {
    const codePoint = this.#source.codePointAt(at);
    if (codePoint === undefined) {
      return this.#malformed(
        at,
        'end',
        this.depth > 0 ? `it ends inside the element ${this.#openName()}` : 'it ends too early',
      );
    }
    if (forbiddenCharacter(String.fromCodePoint(codePoint)) !== undefined) {
      const hex = codePoint.toString(16).toUpperCase().padStart(4, '0');
      return this.#malformed(at, 'character', `the character U+${hex} is forbidden`);
    }
    return this.#malformed(at, 'syntax', `"${shown(String.fromCodePoint(codePoint))}" appears ${where}`);
  }

  #wrongEndTag(at: number): ServiceError {
    return this.#malformed(at, 'end-tag', `an end tag other than </${this.#openName()}> follows`);
  }

  #refusedMarkup(at: number): ServiceError {
    if (this.#source.startsWith('<!DOCTYPE', at)) {
      return this.#malformed(at, 'doctype', 'a document type declaration is not allowed in a SOAP message');
    }
    if (this.#source.charCodeAt(at + 1) === BANG)
      return this.#malformed(at, 'syntax', '"<!" does not begin any allowed markup');
    if (/^<\?xml[\t\n\r ]/.test(this.#source.substring(at, at + 6))) {
      return this.#malformed(at, 'declaration', 'an XML declaration is allowed only at the very beginning');
    }
    return this.#malformed(at, 'processing-instruction', 'a processing instruction is not allowed in a SOAP message');
  }

  #malformed(at: number, reason: string, problem: string): ServiceError {
    const [line, column] = this.#lineAndColumn(at);
    return new ServiceError('Malformed', `The XML cannot be read at line ${line}, column ${column}: ${problem}.`, {
      reason,
    });
  }

  #tooLarge(limit: keyof XmlLimits, what: string): ServiceError {
    return new ServiceError('TooLarge', `A message ${what} is refused.`, { reason: limit });
  }

  /** Both start at 1. The column counts code points. */
  #lineAndColumn(at: number): readonly [number, number] {
    let line = 1;
    let column = 1;
    for (let index = 0; index < at; index++) {
      const code = this.#source.charCodeAt(index);
      if (code === LF) {
        line++;
        column = 1;
      } else if (code < 0xdc00 || code > 0xdfff) {
        column++;
      }
    }
    return [line, column];
  }
}

const PREDEFINED_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
