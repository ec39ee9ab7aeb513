import { Parser } from 'xml2js';

/** An element with its names resolved: two documents that mean the same have the same tree. */
export interface XmlTree {
  /** `{namespace}local`. */
  readonly name: string;
  /** Sorted by name, without namespace declarations. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Empty if the element has text. */
  readonly children: readonly XmlTree[];
  /** Empty if the element has children. */
  readonly text: string;
}

interface Parsed {
  readonly '#name': string;
  readonly $?: Readonly<Record<string, { prefix: string; local: string; uri: string; value: string }>>;
  readonly $ns: { readonly uri?: string; readonly local: string };
  readonly $$?: readonly Parsed[];
  readonly _?: string;
}

const PARSING = {
  async: false,
  xmlns: true,
  explicitRoot: false,
  explicitChildren: true,
  preserveChildrenOrder: true,
  charsAsChildren: true,
  includeWhiteChars: true,
};

/** Reads a document with a parser that the service does not use for messages. Throws an Error if it is not well-formed. */
export function parseXmlTree(text: string): XmlTree {
  let root: Parsed | undefined;
  new Parser(PARSING).parseString(text, (error: Error | null, result: Parsed) => {
    if (error !== null) throw new Error(`not well-formed: ${error.message.replaceAll('\n', ', ')}\n${text}`);
    root = result;
  });
  if (!root) throw new Error('the document is empty');
  return treeOf(root, new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]));
}

function treeOf(element: Parsed, outer: ReadonlyMap<string, string>): XmlTree {
  const prefixes = new Map(outer);
  const own = Object.values(element.$ ?? {});
  for (const { prefix, local, value } of own) if (prefix === 'xmlns') prefixes.set(local, value);
  const attributes = own
    .filter(({ prefix, local }) => prefix !== 'xmlns' && !(prefix === '' && local === 'xmlns'))
    .map(({ uri, local, value }) => [`{${uri}}${local}`, resolved(value, prefixes)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const inner = element.$$ ?? [];
  const children = inner.filter((child) => child['#name'] !== '__text__').map((child) => treeOf(child, prefixes));
  const text = inner.map((child) => (child['#name'] === '__text__' ? (child._ ?? '') : '')).join('');
  if (children.length > 0 && text.trim() !== '') throw new Error(`text beside elements: ${text.trim()}`);
  return {
    name: `{${element.$ns.uri ?? ''}}${element.$ns.local}`,
    attributes,
    children,
    text: children.length > 0 ? '' : resolved(text, prefixes),
  };
}

/** A QName in content, such as a fault code, means its namespace and not its prefix. */
function resolved(text: string, prefixes: ReadonlyMap<string, string>): string {
  const [, prefix = '', local] = /^([A-Za-z_][\w.-]*):([A-Za-z_][\w.-]*)$/.exec(text) ?? [];
  const namespace = prefixes.get(prefix);
  return namespace === undefined || local === undefined ? text : `{${namespace}}${local}`;
}

/** A tree as indented lines, for comparison; `*` at the same place in `pattern` stands for any text. */
export function linesOf(tree: XmlTree, pattern?: XmlTree, indent = ''): string {
  const text = pattern?.text === '*' && tree.text !== '' ? '*' : tree.text;
  const attributes = tree.attributes.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('');
  const children = tree.children.map((child, index) => linesOf(child, pattern?.children[index], `${indent}  `));
  return `${indent}${tree.name}${attributes}${text === '' ? '' : ` ${JSON.stringify(text)}`}\n${children.join('')}`;
}

/** The first element of that name, the tree itself included. */
export function findElement(tree: XmlTree, name: string): XmlTree | undefined {
  if (tree.name === name) return tree;
  for (const child of tree.children) {
    const found = findElement(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The tree as a separate document. */
export function writeXmlTree({ name, attributes, children, text }: XmlTree): string {
  const [, namespace = '', local = ''] = /^\{(.*)\}(.*)$/.exec(name) ?? [];
  // A prefixed attribute is not part of the contract, and is left for the validation to report.
  const written = attributes.map(([key, value]) => ` ${key.replace(/^\{.*\}/, '')}="${escapeXml(value)}"`).join('');
  return `<${local} xmlns="${escapeXml(namespace)}"${written}>${escapeXml(text)}${children.map(writeXmlTree).join('')}</${local}>`;
}

const escapeXml = (text: string): string => text.replace(/[&<>"\r]/g, (character) => `&#${character.charCodeAt(0)};`);
