/** First and last members of the ranges that XML 1.0 uses in productions 2, 4 and 4a. */
const EDGES = [
  0x9, 0xa, 0xd, 0x20, 0x7f, 0x80, 0x85, 0xb7, 0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2ff, 0x300, 0x36f, 0x370, 0x37d, 0x37f,
  0x1fff, 0x200c, 0x200d, 0x203f, 0x2040, 0x2028, 0x2070, 0x218f, 0x2c00, 0x2fef, 0x3001, 0xd7ff, 0xe000, 0xf900,
  0xfdcf, 0xfdf0, 0xfeff, 0xfffd, 0x10000, 0xeffff, 0xf0000, 0x10ffff,
] as const;

/** Pieces of documents: those without white space, then others. */
const SNIPPETS = [
  ...`
  < > & " = / ! ? - -- ] [ ; # : 0 a . <!-- --> ---> <![CDATA[ ]]> </ /> <? ?> xmlns &# &#x &#x0;
  &#xD800; &#xFFFE; &#x110000; &#1114111; &amp &lt; &x; &AMP; <a> </a> <a/> <:a/> <a:/> <a:b:c/>
`
    .trim()
    .split(/\s+/),
  // biome-ignore format: many short texts
  ...[
    "'", ' ', '\n', '\r', '\t', '\u0001', '\u0000', '\ufffe', '\uffff', '<?xml version="1.0"?>', '<?p i?>',
    '<!DOCTYPE a>', '<!ENTITY x "y">', ' xmlns=""', ' xmlns:a=""', ' xmlns:b="urn:a"', ' a:x="1"', ' xml:lang="en"',
    ' xmlns:xml="http://www.w3.org/XML/1998/namespace"', ' xmlns:xmlns="urn:x"',
    ' xmlns="http://www.w3.org/2000/xmlns/"', '\u0301', '\u00d7', '\u037e', '\u2190',
  ],
];

const NAMESPACES = ['urn:a', 'urn:b', 'http://tempuri.org/', 'urn:a'] as const;
const PREFIXES = ['a', 'b', '\u00e9', '_'] as const;

/** Makes XML documents: most are well-formed, or would be without one or two changes. Never with unpaired surrogates. */
export class XmlDocuments {
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  /** A document as text, without regard to its declared encoding. */
  text(): string {
    let text = this.document();
    const changes = this.chance(0.5) ? 0 : this.chance(0.7) ? 1 : 2;
    for (let change = 0; change < changes; change++) text = this.changed(text);
    return text;
  }

  /** A document as bytes: in an encoding that its declaration names or not, with or without byte order mark, some damaged. */
  bytes(): Buffer {
    const text = this.text();
    const bytes = this.encoded(text);
    if (this.chance(0.05) && bytes.length > 0) {
      bytes[this.below(bytes.length)] = this.below(256);
    }
    return this.chance(0.02) ? bytes.subarray(0, this.below(bytes.length + 1)) : bytes;
  }

  private encoded(text: string): Buffer {
    const encoding = /^<\?xml[^>]*encoding\s*=\s*["']([^"']*)/.exec(text)?.[1]?.toLowerCase();
    if (this.chance(0.1)) return this.pick([utf16LittleEndian, utf16BigEndian, utf8Marked])(text);
    if (encoding === 'iso-8859-1' || encoding === 'us-ascii') return Buffer.from(text, 'latin1');
    if (encoding === 'utf-16') return this.pick([utf16LittleEndian, utf16BigEndian])(text);
    return this.chance(0.1) ? utf8Marked(text) : Buffer.from(text, 'utf8');
  }

  private document(): string {
    const declaration = this.chance(0.4) ? this.declaration() : '';
    return declaration + this.misc() + this.element(1, new Set(['xml'])) + this.misc();
  }

  private declaration(): string {
    const version = this.chance(0.95) ? '1.0' : this.pick(['1.1', '1.', '2.0', '1.0a', '']);
    const quote = this.pick(['"', "'"]);
    const space = () => (this.chance(0.9) ? ' ' : this.pick(['', '  ', '  ', '\n', '\t', '\r\n']));
    const equals = () => (this.chance(0.9) ? '=' : this.pick([' =', '= ', '\n=\n', '', '==']));
    let text = `<?xml${space()}version${equals()}${quote}${version}${quote}`;
    if (this.chance(0.6)) {
      const names = ['UTF-8', 'utf-8', 'utf-8', 'ISO-8859-1', 'us-ascii', 'UTF-16', 'utf-16'];
      const name = this.chance(0.95) ? this.pick(names) : this.pick(['', '8-utf', 'utf_8 ', 'x-none']);
      text += `${space()}encoding${equals()}${quote}${name}${quote}`;
    }
    if (this.chance(0.2))
      text += `${space()}standalone${equals()}${quote}${this.pick(['yes', 'no', 'no', 'YES', ''])}${quote}`;
    return `${text}${this.chance(0.8) ? '' : ' '}?>`;
  }

  private misc(): string {
    if (this.chance(0.6)) return '';
    if (this.chance(0.05)) return '<?p i?>';
    return this.pick([' ', '\n', '\r\n', '<!-- x -->', '<!---->\n', '<!-- - -->', '\r', '\t<!--&<>]]>-->']);
  }

  private element(depth: number, bound: ReadonlySet<string>): string {
    const inScope = new Set(bound);
    const attributes: string[] = [];
    while (this.chance(0.3)) attributes.push(this.attribute(inScope));
    const name = this.qName(inScope, 0.5);
    const start = `<${name}${attributes.join('')}${this.chance(0.1) ? this.pick([' ', '\n']) : ''}`;
    if (this.chance(0.2)) return `${start}/>`;
    let content = '';
    while (this.chance(depth > 5 ? 0.3 : 0.6)) {
      content += this.chance(0.35) ? this.element(depth + 1, inScope) : this.characterData();
    }
    return `${start}>${content}</${name}${this.chance(0.1) ? this.pick([' ', '\r\n']) : ''}>`;
  }

  private attribute(inScope: Set<string>): string {
    const quote = this.pick(['"', "'"]);
    const space = this.chance(0.95) ? ' ' : this.pick(['\n', '  ', '\t', '']);
    const equals = this.chance(0.95) ? '=' : this.pick([' = ', '\n=', '= ']);
    if (this.chance(0.45)) {
      const prefix = this.pick(PREFIXES);
      const isDefault = this.chance(0.3);
      if (!isDefault) inScope.add(prefix);
      return `${space}xmlns${isDefault ? '' : `:${prefix}`}${equals}${quote}${this.pick(NAMESPACES)}${quote}`;
    }
    let value = '';
    while (this.chance(0.6)) value += this.chance(0.9) ? this.piece().replaceAll('<', '') : this.pick(['"', "'"]);
    if (this.chance(0.98)) value = value.replaceAll(quote, '');
    return space + this.qName(inScope, 0.4) + equals + quote + value + quote;
  }

  private qName(inScope: ReadonlySet<string>, prefixed: number): string {
    const local = this.chance(0.9)
      ? this.pick(['x', 'y', 'data', 'Na-me.1', '_', 'xmlish', '\u00e9t\u00e9'])
      : this.edgeName();
    if (!this.chance(prefixed)) return local;
    const usual = [...inScope].filter((prefix) => prefix !== 'xml');
    if (this.chance(0.97)) return usual.length > 0 ? `${this.pick(usual)}:${local}` : local;
    return `${this.pick(['', 'a', 'b', 'xmlns', 'c'])}:${local}`;
  }

  private edgeName(): string {
    let name = this.chance(0.5) ? 'n' : '';
    do name += this.edge();
    while (this.chance(0.3));
    return name;
  }

  /** A code point at the edge of a class, or next to it. */
  private edge(): string {
    const codePoint = this.pick(EDGES) + this.pick([-1, 0, 0, 1]);
    return codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff) ? 'e' : String.fromCodePoint(codePoint);
  }

  private characterData(): string {
    if (this.chance(0.15))
      return this.pick(['<!-- c -->', '<!---->', '<!--<a>&b;-->', '<!-- - - -->', '<!--\u{1f600}-->']);
    if (this.chance(0.15))
      return `<![CDATA[${this.pick(['', ']]', '<a>&amp;', ']', '\r\n', '\u{10ffff}', ' > ', '<![CDATA['])}]]>`;
    return this.piece();
  }

  private piece(): string {
    if (this.chance(0.4))
      return this.pick(['text', ' ', '\n', '\r\n', '\r', ']', ']]', '>', '0', '\u{1f600}', '\u0939\u093f']);
    if (this.chance(0.5)) {
      return this.pick('&amp; &lt; &gt; &quot; &apos; &#65; &#x41; &#xD; &#10; &#x10FFFF; &#0065;'.split(' '));
    }
    if (this.chance(0.8)) return this.pick(['a', 'b', 'c']);
    return this.chance(0.6) ? this.edge() : `&#x${(this.pick(EDGES) + this.pick([-1, 0, 0, 1])).toString(16)};`;
  }

  private changed(text: string): string {
    const characters = Array.from(text);
    const at = this.below(characters.length + 1);
    const length = this.pick([0, 0, 1, 1, 2, 5]);
    if (this.chance(0.2)) {
      // Move or repeat a piece of the document.
      const from = this.below(characters.length + 1);
      characters.splice(at, length, ...characters.slice(from, from + this.below(20)));
    } else {
      characters.splice(at, length, this.chance(0.3) ? '' : this.pick(SNIPPETS));
    }
    return characters.join('');
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }
}

const utf8Marked = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf8');
const utf16LittleEndian = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const utf16BigEndian = (text: string): Buffer => utf16LittleEndian(text).swap16();
