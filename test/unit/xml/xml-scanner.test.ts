import { expect } from 'chai';
import fc from 'fast-check';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { escapeAttribute, escapeText } from '../../../src/xml/xml-characters.ts';
import { Token, XML_LIMITS, XmlScanner } from '../../../src/xml/xml-scanner.ts';
import { growthOf, MORE_THAN_LINEAR } from '../../support/process/cpu-time.ts';
import { anyCharacter } from '../../support/random/any-character.ts';

/** What the scanner finds, one line per token: `<{namespace}name a="v"`, `>` for an end tag, text in quotes. */
function tokensOf(xml: string): string[] {
  const scanner = new XmlScanner();
  const tokens: string[] = [];
  scanner.reset(xml);
  for (let token = scanner.next(); token !== Token.End; token = scanner.next()) {
    if (token === Token.Text) tokens.push(JSON.stringify(scanner.text));
    else if (token === Token.EndTag) tokens.push('>');
    else {
      let line = `<${expanded(scanner.namespace, scanner.localName)}`;
      for (const { namespace, localName: name, value } of scanner.attributes) {
        line += ` ${expanded(namespace, name)}=${JSON.stringify(value)}`;
      }
      tokens.push(line);
    }
  }
  return tokens;
}

const expanded = (namespace: string, localName: string): string =>
  namespace === '' ? localName : `{${namespace}}${localName}`;

const textOf = (content: string): string => {
  const [, text] = tokensOf(`<a>${content}</a>`);
  return text === '>' ? '' : JSON.parse(text as string);
};

const normalized = (literal: string): string => {
  const scanner = new XmlScanner();
  scanner.reset(`<a b=${literal}/>`);
  scanner.next();
  return scanner.attributes[0]?.value ?? '';
};

function errorOf(xml: string): ServiceError {
  try {
    tokensOf(xml);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`Accepted: ${xml.slice(0, 200)}`);
}

function expectMalformed(xml: string, reason?: string): void {
  const error = errorOf(xml);
  expect(error.code, xml).to.equal('Malformed');
  if (reason !== undefined) expect(error.reason, xml).to.equal(reason);
}

describe('XmlScanner', () => {
  describe('tags', () => {
    it('returns elements, attributes and text in order', () => {
      expect(tokensOf('<a x="1" y=\'2\'>t<b/>u</a>')).to.deep.equal(['<a x="1" y="2"', '"t"', '<b', '>', '"u"', '>']);
    });
    it('accepts white space wherever a tag may contain it', () => {
      expect(tokensOf('<a\n x\t=\r\n"1" ><b /></a >')).to.deep.equal(['<a x="1"', '<b', '>', '>']);
    });
    it('refuses tags that do not match, are not closed or close nothing', () => {
      for (const xml of ['<a></b>', '<a></ab>', '<ab></a>', '<a><b></a></b>', '</a>', '<p:a xmlns:p="u"></a>'])
        expectMalformed(xml);
      for (const xml of ['<a>', '<a><b></b>', '<a', '<a ', '<a b', '<a b=', '<a b="', '<', '</', '<a></a'])
        expectMalformed(xml);
    });
    it('refuses a second root, and text outside the root', () => {
      for (const xml of ['<a/><b/>', '<a/>x', 'x<a/>', '<a/>&#32;', '<a/><![CDATA[]]>', '\ufeff<a/>'])
        expectMalformed(xml);
    });
    it('accepts white space and comments around the root', () => {
      expect(tokensOf(' <!-- x -->\n<a/>\r\n<!-- y -->\t')).to.deep.equal(['<a', '>']);
    });
    it('refuses a document without an element', () => {
      for (const xml of ['', ' ', '<!-- x -->', '<?xml version="1.0"?>']) expectMalformed(xml, 'empty');
    });
    it('refuses attributes without a space, quotes or a value', () => {
      for (const xml of ['<a b="1"c="2"/>', '<a b=1/>', '<a b/>', '<a b="1\'/>', '<a ="1"/>', '<a / >', '<a/b>'])
        expectMalformed(xml);
    });
  });

  describe('names', () => {
    it('accepts the first and last characters of each class and refuses their neighbours', () => {
      const starts =
        '\u00c0\u00d6\u00d8\u00f6\u00f8\u02ff\u0370\u037d\u037f\u1fff\u200c\u200d\u2070\u218f\u2c00\u2fef\u3001\ud7ff\uf900\ufdcf\ufdf0\ufffd\u{10000}\u{effff}';
      const continuing = '\u00b7\u0300\u036f\u203f\u2040-.0';
      const never =
        '\u00bf\u00d7\u00f7\u037e\u2000\u200b\u200e\u206f\u2190\u2bff\u2ff0\u3000\ue000\uf8ff\ufdd0\ufdef\u{f0000}';
      for (const char of starts) expect(tokensOf(`<${char}/>`)).to.deep.equal([`<${char}`, '>']);
      for (const char of continuing) {
        expect(tokensOf(`<a${char}/>`)).to.deep.equal([`<a${char}`, '>']);
        expectMalformed(`<${char}/>`);
      }
      for (const char of never) {
        expectMalformed(`<${char}/>`);
        expectMalformed(`<a${char}/>`);
      }
    });
    it('refuses names with empty parts and more than one colon', () => {
      for (const name of [':a', 'p:', 'p:a:b', 'p::a', ':', 'p:1']) expectMalformed(`<${name} xmlns:p="u"/>`);
    });
  });

  describe('namespaces', () => {
    it('resolves prefixes and the default namespace, which does not apply to attributes without a prefix', () => {
      expect(tokensOf('<p:a xmlns:p="u" xmlns="v" p:x="1" y="2"><b/></p:a>')).to.deep.equal([
        '<{u}a {u}x="1" y="2"',
        '<{v}b',
        '>',
        '>',
      ]);
    });
    it('ends the scope of a declaration with its element', () => {
      const xml = '<a xmlns="1" xmlns:p="1"><b xmlns="2" xmlns:p="2"><p:c/></b><p:d/><e xmlns=""/><f/></a>';
      const starts = tokensOf(xml).filter((token) => token.startsWith('<'));
      expect(starts).to.deep.equal(['<{1}a', '<{2}b', '<{2}c', '<{1}d', '<e', '<{1}f']);
      expectMalformed('<a><b xmlns:p="u"/><p:c/></a>', 'namespace');
      expectMalformed('<a><b xmlns:p="u"></b><p:c/></a>', 'namespace');
    });
    it('refuses prefixes that are not bound', () => {
      for (const xml of ['<p:a/>', '<a p:x=""/>', '<a><p:b/></a>', '<xmlns:a/>', '<__proto__:a/>'])
        expectMalformed(xml, 'namespace');
    });
    it('does not let the reserved prefixes and namespaces be rebound', () => {
      const xml = 'http://www.w3.org/XML/1998/namespace';
      const xmlns = 'http://www.w3.org/2000/xmlns/';
      const redeclared = ['xmlns:xml="u"', `xmlns:xmlns="${xmlns}"`, 'xmlns:xmlns="u"', 'xmlns:p=""'];
      const taken = [xml, xmlns].flatMap((uri) => [`xmlns:p="${uri}"`, `xmlns="${uri}"`]);
      for (const declaration of [...redeclared, ...taken]) {
        expectMalformed(`<a ${declaration}/>`, 'namespace');
      }
      expect(tokensOf(`<a xmlns:xml="${xml}" xml:lang="en"/>`)[0]).to.equal(`<a {${xml}}lang="en"`);
    });
    it('refuses an attribute given twice, by name or by expanded name', () => {
      for (const attributes of ['x="1" x="2"', 'p:x="1" q:x="2"', 'xmlns:r="1" xmlns:r="2"', 'xmlns="1" xmlns="1"']) {
        expectMalformed(`<a xmlns:p="u" xmlns:q="u" ${attributes}/>`);
      }
      expect(tokensOf('<a xmlns:p="u" x="1" p:x="2" X="3"/>')).to.deep.equal(['<a x="1" {u}x="2" X="3"', '>']);
    });
    it('resolves prefixes in values for its caller', () => {
      const scanner = new XmlScanner();
      scanner.reset('<a xmlns="d" xmlns:p="u"/>');
      scanner.next();
      expect(['', 'p', 'xml', 'q', 'constructor'].map((prefix) => scanner.namespaceOf(prefix))).to.deep.equal([
        'd',
        'u',
        'http://www.w3.org/XML/1998/namespace',
        undefined,
        undefined,
      ]);
    });
  });

  describe('text', () => {
    it('joins character data, CDATA, references and text on both sides of a comment', () => {
      expect(textOf('a<!-- - > -->b<![CDATA[<&]]]]><![CDATA[>]]>&lt;&#65;&#x1F600;')).to.equal('ab<&]]><A\u{1f600}');
    });
    it('returns no token for empty text', () => {
      expect(tokensOf('<a><!-- x --><![CDATA[]]></a>')).to.deep.equal(['<a', '>']);
    });
    it('turns every line end into LF, but keeps a CR given by reference', () => {
      expect(textOf('a\r\nb\rc\n\r<![CDATA[\r\n\r]]>&#13;&#xD;')).to.equal('a\nb\nc\n\n\n\n\r\r');
    });
    it('recognizes blank text', () => {
      const isBlank = (content: string): boolean => {
        const scanner = new XmlScanner();
        scanner.reset(`<a>${content}</a>`);
        scanner.next();
        scanner.next();
        return scanner.isBlank;
      };
      expect(['  \n\t', '\r\n', '<![CDATA[ ]]>&#9;'].map(isBlank)).to.deep.equal([true, true, true]);
      expect(['x', ' \u00a0', '\r\nx', '&#160;'].map(isBlank)).to.deep.equal([false, false, false, false]);
    });
    it('recognizes only the five predefined entities', () => {
      expect(textOf('&amp;&lt;&gt;&quot;&apos;')).to.equal('&<>"\'');
      for (const reference of ['&', '&;', '& ', '&amp', '&AMP;', '&nbsp;', '&lt', '&__proto__;']) {
        expectMalformed(`<a>${reference}</a>`, 'reference');
        expectMalformed(`<a b="${reference}"/>`, 'reference');
      }
    });
    it('accepts character references only to legal characters', () => {
      expect(textOf('&#x9;&#10;&#x00020;&#xd7FF;&#xE000;&#xFFFD;&#x10000;&#1114111;')).to.equal(
        '\t\n \ud7ff\ue000\ufffd\u{10000}\u{10ffff}',
      );
      const forbidden = '&#0; &#x8; &#xB; &#x1F; &#xD800; &#xDFFF; &#xFFFE; &#xFFFF; &#x110000; &#99999999999;'.split(
        ' ',
      );
      for (const reference of [...forbidden, '&#;', '&#x;', '&#X41;', '&#xG;', '&#1a;', '&#-1;', '&#65', '&# 65;']) {
        expectMalformed(`<a>${reference}</a>`, 'reference');
      }
    });
    it('refuses "]]>" in text, and accepts its parts', () => {
      expectMalformed('<a>]]></a>', 'text');
      expectMalformed('<a>]]]></a>', 'text');
      expect(textOf(']] >]>&gt;]]&gt;')).to.equal(']] >]>>]]>');
    });
    it('refuses "--" in comments', () => {
      for (const comment of ['<!-- -- -->', '<!-- --->', '<!----->', '<!--->', '<!--', '<!-- -', '<!-'])
        expectMalformed(`<a>${comment}</a>`);
    });
    it('refuses unclosed sections and comments', () => {
      for (const content of ['<![CDATA[', '<![CDATA[]]', '<![cdata[]]>', '<![CDATA []]>'])
        expectMalformed(`<a>${content}</a>`);
    });
  });

  describe('attribute values', () => {
    it('are normalized as CDATA: white space becomes spaces, white space given by reference stays', () => {
      expect(normalized('"a\r\nb\tc\nd\re&#13;&#10;&#9;f"')).to.equal('a b c d e\r\n\tf');
    });
    it('may contain references and the other quote', () => {
      expect(normalized(`'"&apos;&amp;>]]>'`)).to.equal(`"'&>]]>`);
      expect(normalized(`"'&quot;"`)).to.equal(`'"`);
    });
    it('may not contain "<"', () => {
      expectMalformed('<a b="<"/>', 'attribute');
      expect(normalized('"&lt;"')).to.equal('<');
    });
  });

  it('refuses characters that XML 1.0 forbids and lone surrogates, wherever they occur', () => {
    for (const char of ['\0', '\u0008', '\u000b', '\u001f', '\ufffe', '\uffff', '\ud800', '\udc00', '\udc00\ud800']) {
      const places = [`<a>${char}</a>`, `<a b="${char}"/>`, `<a><!--${char}--></a>`, `<a><![CDATA[${char}]]></a>`];
      const names = [`<a${char}/>`, `<a ${char}="1"/>`];
      const around = [`<a/>${char}`, `${char}<a/>`, `<!--${char}--><a/>`];
      for (const xml of [...places, ...names, ...around]) expectMalformed(xml);
    }
    expect(textOf('\u0085\u2028\u007f\u{10ffff}')).to.equal('\u0085\u2028\u007f\u{10ffff}');
  });

  it('accepts an XML declaration that follows the grammar, only at the very start', () => {
    const right = [
      'version="1.0"',
      "version = '1.0'  encoding='utf-8' ",
      'version="1.7" encoding="a-1._" standalone="no"',
      'version="1.0" standalone=\'yes\'',
    ];
    for (const inner of right) expect(tokensOf(`<?xml ${inner}?><a/>`)).to.deep.equal(['<a', '>']);
    const wrong = [
      '',
      'encoding="utf-8"',
      'version="2.0"',
      'version="1."',
      'version=1.0',
      'version="1.0" encoding="8"',
      'version="1.0"encoding="a"',
      'version="1.0" standalone="maybe"',
      'version="1.0" standalone="no" encoding="a"',
      'version="1.0" x="y"',
      'version="1.0\'',
    ];
    for (const inner of wrong) expectMalformed(`<?xml ${inner}?><a/>`, 'declaration');
    for (const xml of ['<?xml', '<?xml?><a/>', '<?xml version="1.0"><a/>']) expectMalformed(xml, 'declaration');
    for (const xml of [' <?xml version="1.0"?><a/>', '<a><?xml version="1.0"?></a>']) expectMalformed(xml);
  });

  it('refuses document type declarations and processing instructions, each with its own reason', () => {
    for (const xml of [
      '<!DOCTYPE a><a/>',
      '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
      '<a/><!DOCTYPE a>',
    ]) {
      expectMalformed(xml, 'doctype');
    }
    for (const xml of ['<?p i?><a/>', '<a><?p?></a>', '<a/><?p?>', '<?xml-stylesheet href="x"?><a/>']) {
      expectMalformed(xml, 'processing-instruction');
    }
  });

  it('reports line and column of an error, for every kind of line end', () => {
    expect(errorOf('<a>\r\n<b>\r\u{1f600}\n <c x=></a>').message).to.match(/line 4, column 5:/);
  });

  describe('limits', () => {
    const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);
    const wide = (elements: number): string => `<r>${'<a/>'.repeat(elements - 1)}</r>`;
    const withAttributes = (count: number): string =>
      `<a ${Array.from({ length: count }, (_, index) => (index % 2 ? `xmlns:p${index}="u"` : `x${index}=""`)).join(' ')}/>`;

    for (const [limit, document] of [
      ['depth', nested],
      ['elements', wide],
      ['attributes', withAttributes],
      ['name', (length: number) => `<p:${'a'.repeat(length - 2)} xmlns:p="u"/>`],
    ] as const) {
      it(`accepts a ${limit} at the limit and refuses one more`, () => {
        tokensOf(document(XML_LIMITS[limit]));
        const error = errorOf(document(XML_LIMITS[limit] + 1));
        expect([error.code, error.reason]).to.deep.equal(['TooLarge', limit]);
      });
    }
    it('limits names of attributes, too', () => {
      expect(errorOf(`<a ${'b'.repeat(100_000)}=""/>`).reason).to.equal('name');
    });
    it('counts only nested elements towards the depth', () => {
      tokensOf(`<r>${'<a><b/></a>'.repeat(99)}</r>`);
    });
  });

  it('takes time proportional to the length of hostile documents', () => {
    const fill =
      (piece: string, before = '<a>', after = '') =>
      (length: number): string =>
        before + piece.repeat(length / piece.length) + after;
    const inText = ['<![CDATA[', '<![CDATA[]]>', '<!--', '<!---->', '&amp;', '&#', '<', '<a/>', '\r', '>'];
    const others = [
      ...(['<!---->', ' ', '<a>'] as const).map((piece) => fill(piece, '')),
      ...(['&#x', '&lt;', '\r'] as const).map((piece) => fill(piece, '<a b="')),
      ...[fill(']', '<a>', '</a>'), fill(' ', '<a '), fill(' ', '<?xml version="1.0"'), fill(' x=""', '<a')],
      ...[fill('-', '<!-- '), fill('0', '<a>&#'), fill('?', '<?xml '), fill(' ', '<a></a')],
    ];
    const hostile = [...inText.map((piece) => fill(piece)), ...others];
    for (const xml of hostile) {
      const read = (length: number) => {
        try {
          tokensOf(xml(length));
        } catch {}
      };
      expect(growthOf(read, 2 ** 18), xml(30)).to.be.below(MORE_THAN_LINEAR);
    }
  });

  it('can be used again after an error', () => {
    const scanner = new XmlScanner();
    scanner.reset('<a xmlns:p="u" xmlns="d"><p:b');
    scanner.next();
    expect(() => scanner.next()).to.throw(ServiceError);
    scanner.reset('<a/>');
    scanner.next();
    expect([scanner.namespace, scanner.depth, scanner.namespaceOf('p')]).to.deep.equal(['', 1, undefined]);
  });

  it('reads back what the writer escaped, character by character', () => {
    const legal = fc.string({ unit: anyCharacter }).filter((text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids
      return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text) && text.isWellFormed();
    });
    const awkward = fc.array(
      fc.constantFrom('\r', '\n', '\t', ' ', '&', '<', '>', ']]>', '"', "'", '&amp;', '\u{1f600}', 'x'),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          legal,
          awkward.map((pieces) => pieces.join('')),
        ),
        (text) => {
          expect(textOf(escapeText(text))).to.equal(text);
          expect(normalized(`"${escapeAttribute(text)}"`)).to.equal(text);
          expect(normalized(`'${escapeAttribute(text)}'`)).to.equal(text);
        },
      ),
    );
  });

  it('throws only ServiceErrors, for any text', () => {
    const pieces = fc.constantFrom(...`< > / a : = " ' & ; # x <!-- --> <![CDATA[ ]]> <? ?>`.split(' '), ' ', '\ud800');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          tokensOf(parts.join(''));
        } catch (error) {
          expect(error).to.be.instanceOf(ServiceError);
        }
      }),
    );
  });
});
