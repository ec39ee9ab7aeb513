import { expect } from 'chai';
import { Parser } from 'xml2js';
import { parseXml, type XmlNode } from '../../src/contract/xml-node.ts';
import { ownWsdl } from './own-wsdl.ts';

/** An element as xml2js returns it with the options below; `$` also contains namespace declarations. */
interface Xml2jsElement {
  readonly $?: Readonly<Record<string, { prefix: string; local: string; value: string }>>;
  readonly $ns: { readonly uri?: string; readonly local: string };
  readonly $$?: readonly Xml2jsElement[];
  readonly _?: string;
}

const OPTIONS = { async: false, xmlns: true, explicitRoot: false, explicitChildren: true, preserveChildrenOrder: true };

function readByXml2js(text: string): Xml2jsElement {
  let root: Xml2jsElement | undefined;
  new Parser(OPTIONS).parseString(text, (_error: Error | null, result: Xml2jsElement) => {
    root = result;
  });
  if (root === undefined) throw new Error('xml2js read nothing');
  return root;
}

const plain = ({ namespace, name, attributes, text, children }: XmlNode): unknown => ({
  namespace,
  name,
  attributes: [...attributes],
  text,
  children: children.map(plain),
});

const plainXml2js = ({ $ns, $ = {}, $$ = [], _ = '' }: Xml2jsElement): unknown => ({
  namespace: $ns.uri ?? '',
  name: $ns.local,
  attributes: Object.values($)
    .filter(({ prefix, local }) => prefix === '' && local !== 'xmlns')
    .map(({ local, value }) => [local, value]),
  text: _.trim().replace(/\s+/g, ' '),
  children: $$.map(plainXml2js),
});

describe('parseXml', () => {
  it('reads the WSDL as xml2js does', () => {
    expect(plain(parseXml(ownWsdl))).to.deep.equal(plainXml2js(readByXml2js(ownWsdl)));
  });

  it('passes to each element the prefixes in scope there', () => {
    const root = parseXml('<a xmlns="urn:1" xmlns:p="urn:2"><b xmlns:p="urn:3"/><c xmlns=""/></a>');
    expect([root, ...root.children].map(({ prefixes }) => Object.fromEntries(prefixes))).to.deep.equal([
      { '': 'urn:1', p: 'urn:2' },
      { '': 'urn:1', p: 'urn:3' },
      { '': '', p: 'urn:2' },
    ]);
  });

  it('reads a file that begins with a byte order mark', () => {
    expect(parseXml(`\uFEFF${ownWsdl}`).name).to.equal('definitions');
  });

  it('refuses a document that continues after its root element', () => {
    expect(() => parseXml('<a/><b/>')).to.throw('markup follows the root element');
  });
});
