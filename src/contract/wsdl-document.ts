import { readFileSync } from 'node:fs';
import { Parser } from 'xml2js';

/** Namespaces of WSDL 1.1 and XML Schema. */
export const WSDL = 'http://schemas.xmlsoap.org/wsdl/';
export const XSD = 'http://www.w3.org/2001/XMLSchema';

/** The text of the service's WSDL, with its annotations. */
export const ownWsdl = (): string => readFileSync(new URL('../../wsdl/TPWebServices.wsdl', import.meta.url), 'utf8');

export interface XmlNode {
  readonly namespace: string;
  readonly name: string;
  /** Attributes without a prefix. Namespace declarations are not included. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  /** Character data of the element itself, with white space collapsed. */
  readonly text: string;
}

/** An element as xml2js reports it with the options below. */
interface ReadElement {
  readonly $?: Readonly<Record<string, { readonly prefix: string; readonly local: string; readonly value: string }>>;
  readonly $ns: { readonly uri: string; readonly local: string };
  readonly $$?: readonly ReadElement[];
  readonly _?: string;
}

/** Reads the text of a WSDL. Throws an Error if it is not well-formed. */
export function parseWsdl(text: string): XmlNode {
  let root: ReadElement | null | undefined;
  const parser = new Parser({ xmlns: true, explicitRoot: false, explicitChildren: true, preserveChildrenOrder: true });
  parser.parseString(text, (error: Error | null, element: ReadElement | null) => {
    if (error) throw error;
    root = element;
  });
  if (!root) throw new Error('The WSDL is empty.');
  return nodeOf(root);
}

function nodeOf({ $ = {}, $ns, $$ = [], _ = '' }: ReadElement): XmlNode {
  const attributes = Object.values($).filter(({ prefix }) => prefix === '');
  return {
    namespace: $ns.uri,
    name: $ns.local,
    attributes: Object.fromEntries(attributes.map(({ local, value }) => [local, value])),
    children: $$.map(nodeOf),
    text: _.trim().replace(/\s+/g, ' '),
  };
}

export const childrenOf = (node: XmlNode, namespace: string, name: string): readonly XmlNode[] =>
  node.children.filter((child) => child.namespace === namespace && child.name === name);

export function firstChildOf(node: XmlNode, namespace: string, name: string): XmlNode {
  const child = node.children.find((child) => child.namespace === namespace && child.name === name);
  if (child === undefined) throw new Error(`${describe(node)} in the WSDL has no ${name}.`);
  return child;
}

export function attributeOf(node: XmlNode, attribute: string): string {
  const value = node.attributes[attribute];
  if (value === undefined) throw new Error(`${describe(node)} in the WSDL has no attribute ${attribute}.`);
  return value;
}

/** The local part of a QName. In our file, the prefix s means XML Schema, and tns the contract's own namespace. */
export const localNameIn = (qualifiedName: string): string => qualifiedName.slice(qualifiedName.indexOf(':') + 1);

/** Text of the `documentation` child; empty without one. */
export const documentationOf = (node: XmlNode): string =>
  node.children.find(({ name }) => name === 'documentation')?.text ?? '';

const describe = ({ name, attributes }: XmlNode): string => `${name} ${attributes.name ?? ''}`.trimEnd();
