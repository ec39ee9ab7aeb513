import type { HeaderElement } from '../../access/ws-security/security-header.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';
import { trimXmlSpace } from '../../xml/xml-characters.ts';
import { Token, type XmlScanner } from '../../xml/xml-scanner.ts';
import type { SoapVersion } from './soap-versions.ts';

/** SOAP 1.1, 4.2.3 allows only the numbers, but toolkits use the words there as well. */
const TRUE = ['1', 'true'];
const FALSE = ['0', 'false'];

/** How we must treat a header block: it is for another node, or we may ignore it, or we must understand it. */
export type BlockDemand = 'not-ours' | 'may-ignore' | 'must-understand';

/**
 * How to treat the header block that the scanner has just entered, according to its attributes. Throws ServiceError `Malformed` for a
 * mustUnderstand that is not a boolean. Source: SOAP 1.1, 4.2.2 and 4.2.3; SOAP 1.2 part 1, 5.2.2 and 5.2.3.
 */
export function demandOfBlock(scanner: XmlScanner, version: SoapVersion): BlockDemand {
  let mustUnderstand = false;
  let isOurs = true;
  for (const attribute of scanner.attributes) {
    if (attribute.namespace !== version.envelopeNamespace) continue;
    const value = trimXmlSpace(attribute.value);
    if (attribute.localName === version.roleAttribute) {
      isOurs = version.ourRoles.includes(value);
    } else if (attribute.localName === 'mustUnderstand') {
      mustUnderstand = TRUE.includes(value);
      if (!mustUnderstand && !FALSE.includes(value)) {
        const problem = `The header ${quoted(scanner.localName)} has mustUnderstand "${quoted(value)}"; expected 1 or 0.`;
        throw new ServiceError('Malformed', problem, { reason: 'mustUnderstand' });
      }
    }
  }
  if (!isOurs) return 'not-ours';
  return mustUnderstand ? 'must-understand' : 'may-ignore';
}

/** Reads the element that the scanner has just entered, up to its end tag; its size is limited by `XML_LIMITS`. */
export function readHeaderElement(scanner: XmlScanner): HeaderElement {
  const { namespace, localName, attributes } = scanner;
  const children: HeaderElement[] = [];
  let text = '';
  for (let token = scanner.next(); token !== Token.EndTag; token = scanner.next()) {
    if (token === Token.Text) text += scanner.text;
    else children.push(readHeaderElement(scanner));
  }
  return { namespace, localName, attributes, children, text };
}
