import { Token, XmlScanner } from '../xml/xml-scanner.ts';

/** An element of an XML document with its names resolved. */
export interface XmlNode {
  /** Namespace name, `''` for none. */
  readonly namespace: string;
  readonly name: string;
  /** Attributes without a prefix, in the document's order. Namespace declarations are not included. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
  /** Character data of the element itself, with white space collapsed. */
  readonly text: string;
  /** Namespaces in scope by prefix; the default namespace, if there is one, has the prefix `''`. */
  readonly prefixes: ReadonlyMap<string, string>;
}

/** The WSDL comes with the program: these limits only end a recursion, and allocate memory. */
const LIMITS = { depth: 100, elements: 100_000, attributes: 100, name: 1000 };

/** Reads a whole document. Throws an Error if it is not well-formed or contains an attribute with a namespace. */
export function parseXml(text: string): XmlNode {
  const scanner = new XmlScanner([], LIMITS);
  // Some editors on Windows begin a file with a byte order mark.
  scanner.reset(text.replace(/^\uFEFF/, ''));
  scanner.next();
  const root = readElement(scanner);
  scanner.next();
  return root;
}

/** Reads the element that the scanner has just entered, up to its end tag. */
function readElement(scanner: XmlScanner): XmlNode {
  const { namespace, localName: name, declarations: prefixes } = scanner;
  const attributes = new Map<string, string>();
  for (let index = 0; index < scanner.attributeCount; index++) {
    const attribute = scanner.attributeName(index);
    const itsNamespace = scanner.attributeNamespace(index);
    if (itsNamespace !== '') {
      throw new Error(`The attribute ${attribute} of namespace ${itsNamespace} on ${name} is not supported.`);
    }
    attributes.set(attribute, scanner.attributeValue(index));
  }
  const children: XmlNode[] = [];
  let text = '';
  for (;;) {
    const token = scanner.next();
    if (token === Token.EndTag) break;
    if (token === Token.StartTag) children.push(readElement(scanner));
    else text += scanner.text;
  }
  return { namespace, name, attributes, children, text: text.trim().replace(/\s+/g, ' '), prefixes };
}
