import { Parser } from 'xml2js';

/** An element of an XML document with its names resolved. */
export interface XmlNode {
  /** Namespace name, `''` for none. */
  readonly namespace: string;
  readonly name: string;
  /** Attributes without a prefix, in the document's order; declarations of namespaces are not among them. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
  /** Character data of the element itself, white space collapsed. */
  readonly text: string;
  /** Namespaces in scope by prefix. */
  readonly prefixes: ReadonlyMap<string, string>;
}

interface ParsedAttribute {
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
  readonly value: string;
}

/** What xml2js makes of an element under `xmlns`, `explicitChildren` and `preserveChildrenOrder`. */
interface ParsedElement {
  readonly $?: Readonly<Record<string, ParsedAttribute>>;
  readonly $ns: { readonly uri?: string; readonly local: string };
  readonly $$?: readonly ParsedElement[];
  readonly _?: string;
}

const PARSING = {
  async: false,
  xmlns: true,
  explicitRoot: false,
  explicitChildren: true,
  preserveChildrenOrder: true,
};

/** Reads a whole document. Throws an Error if it is not well-formed or holds an attribute of another namespace. */
export function parseXml(text: string): XmlNode {
  let root: ParsedElement | undefined;
  let failure: Error | null = null;
  new Parser(PARSING).parseString(text, (error: Error | null, result: ParsedElement) => {
    failure ??= error;
    root = result;
  });
  // What sax reports has the position on lines of its own.
  if (failure !== null)
    throw new Error(`It is not well-formed XML: ${(failure as Error).message.replaceAll('\n', ', ')}.`);
  if (!root) throw new Error('It is empty.');
  return nodeOf(root, new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]));
}

function nodeOf(element: ParsedElement, outer: ReadonlyMap<string, string>): XmlNode {
  const attributes = new Map<string, string>();
  const prefixes = new Map(outer);
  for (const { prefix, local, uri, value } of Object.values(element.$ ?? {})) {
    if (prefix === 'xmlns') prefixes.set(local === 'xmlns' ? '' : local, value);
    else if (prefix === '' && local === 'xmlns') prefixes.set('', value);
    else if (prefix === '') attributes.set(local, value);
    else throw new Error(`The attribute ${local} of namespace ${uri} on ${element.$ns.local} is not supported.`);
  }
  return {
    namespace: element.$ns.uri ?? '',
    name: element.$ns.local,
    attributes,
    children: (element.$$ ?? []).map((child) => nodeOf(child, prefixes)),
    text: (element._ ?? '').trim().replace(/\s+/g, ' '),
    prefixes,
  };
}
