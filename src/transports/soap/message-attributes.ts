import type { Operation, Parameter } from '../../contract/contract.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';
import { trimXmlSpace } from '../../xml/xml-characters.ts';
import type { XmlScanner } from '../../xml/xml-scanner.ts';
import { invalidParameter, unexpected } from './message-problems.ts';

/** 2001 is the Recommendation; older toolkits use the namespaces of the drafts. */
const SCHEMA_NAMESPACES: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/XMLSchema',
  'http://www.w3.org/2000/10/XMLSchema',
  'http://www.w3.org/1999/XMLSchema',
]);
const INSTANCE_NAMESPACES: ReadonlySet<string> = new Set(
  Array.from(SCHEMA_NAMESPACES, (namespace) => `${namespace}-instance`),
);
/** SOAP 1.1, 5 and SOAP 1.2 part 2, 3. */
const ENCODING_NAMESPACES: ReadonlySet<string> = new Set([
  'http://schemas.xmlsoap.org/soap/encoding/',
  'http://www.w3.org/2003/05/soap-encoding',
]);

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How the attributes of an element say that its content is written, or what is wrong with them. */
type WrittenAs = 'plain' | 'base64' | 'nil' | ServiceError;

/**
 * Reads the attributes of the operation or parameter that the scanner has just entered. Its type is that of the contract: clients without the
 * WSDL guess a type from the look of the value, and ASMX ignores it. Only what SOAP::Lite does to non-ASCII text is not a guess.
 */
export function readAttributes(scanner: XmlScanner, of: Operation | Parameter): WrittenAs {
  if (scanner.attributes.length === 0) return 'plain';
  const invalid = (problem: string) =>
    'type' in of
      ? invalidParameter(of.name, problem)
      : new ServiceError('InvalidValue', `Element ${of.name} ${problem}`);
  let isNil = false;
  let isBase64 = false;
  for (const { localName: name, namespace, value: untrimmed } of scanner.attributes) {
    const value = trimXmlSpace(untrimmed);
    if (!INSTANCE_NAMESPACES.has(namespace)) {
      // Whatever else toolkits write means nothing to us, such as encodingStyle, but references must not be lost.
      if (refersElsewhere(name, namespace)) {
        return unexpected(`Attribute ${name} of element ${of.name} is not expected.`);
      }
    } else if (name === 'nil' || name === 'null') {
      // In the draft of 1999, nil was called `null`.
      isNil = value === 'true' || value === '1';
      if (!isNil && value !== 'false' && value !== '0') {
        return invalid(`has xsi:${name} "${quoted(value)}"; expected true or false.`);
      }
    } else if (name === 'type' && 'type' in of && of.type === 'string') {
      const colon = value.indexOf(':');
      const localName = value.substring(colon + 1);
      // `base64` is its name in SOAP 1.1, 5.2.3.
      isBase64 = localName === 'base64Binary' || localName === 'base64';
      const typeNamespace = scanner.namespaceOf(colon < 0 ? '' : value.substring(0, colon)) ?? '';
      // Not ignored: otherwise, base64 text could be stored as somebody's name.
      if (isBase64 && !ENCODING_NAMESPACES.has(typeNamespace) && !SCHEMA_NAMESPACES.has(typeNamespace)) {
        return invalid(`has xsi:type "${quoted(value)}", whose prefix is not bound to XML Schema.`);
      }
    }
  }
  if (isNil) return 'nil';
  return isBase64 ? 'base64' : 'plain';
}

/**
 * References, and arrays, whose items are elsewhere: SOAP 1.1, 5; SOAP 1.2 part 2, 3. `id` and `root`, which kSOAP2 writes by default, only
 * label the element itself.
 */
const refersElsewhere = (name: string, namespace: string): boolean =>
  namespace === '' ? name === 'href' : ENCODING_NAMESPACES.has(namespace) && name !== 'root' && name !== 'id';

/**
 * The text whose UTF-8 bytes a parameter has as base64, with white space anywhere, as `xsd:base64Binary` allows. Throws InvalidValue for
 * anything that is not padded base64, or not UTF-8. Source: RFC 4648, 4; XML Schema Part 2, 3.2.16.
 */
export function readBase64Parameter({ name }: Parameter, text: string): string {
  try {
    return UTF_8.decode(Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' }));
  } catch {
    const problem = 'is sent as base64Binary, but is not the base64 of a text in UTF-8';
    throw new ServiceError('InvalidValue', `Parameter ${name}: "${quoted(text)}" ${problem}.`, { parameter: name });
  }
}
