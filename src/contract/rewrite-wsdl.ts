import { escapeAttribute } from '../xml/escape.ts';
import { operationUri } from './operation-uri.ts';

/**
 * The WSDL for a deployment's namespace, which occurs in the targetNamespace, the prefixes bound to it and the soapActions. All other text
 * is unchanged, byte for byte.
 */
export function withNamespace(wsdl: string, namespace: string): string {
  const own = ownNamespace(wsdl);
  const escaped = escapeAttribute(namespace);
  const ownActions = operationUri(own, '');
  return withAttributes(wsdl, (_element, attribute, value) => {
    if (attribute === 'soapAction') {
      return value.startsWith(ownActions) ? operationUri(escaped, value.slice(ownActions.length)) : value;
    }
    return value === own && namesNamespace(attribute) ? escaped : value;
  });
}

/** The WSDL with `endpointUrl` as the address of all its ports. All other text is unchanged, byte for byte. */
export function withAddress(wsdl: string, endpointUrl: string): string {
  const escaped = escapeAttribute(endpointUrl);
  return withAttributes(wsdl, (element, attribute, value) =>
    attribute === 'location' && localPart(element) === 'address' ? escaped : value,
  );
}

/** The WSDL without some of its service's ports, so that no proxy is generated for them. All other text is unchanged. */
export function withoutPorts(wsdl: string, ports: readonly string[]): string {
  return wsdl.replace(
    /[ \t]*<((?:\w+:)?port)\s[^>]*?name\s*=\s*["']([^"']*)["'][^>]*>[\s\S]*?<\/\1>\r?\n?/g,
    (port, _tag, name) => (ports.includes(name) ? '' : port),
  );
}

/**
 * The WSDL without what only people read (comments, documentation, our own annotations, white space between elements) and without the
 * contents of types. What remains names the operations, and the elements, bindings and ports that belong to them.
 */
export const withoutDetails = (wsdl: string): string =>
  wsdl
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<((?:\w+:)?(?:documentation|annotation|complexType))\b[^>]*>[\s\S]*?<\/\1>/g, '')
    .replace(/>\s+</g, '><');

const namesNamespace = (attribute: string): boolean =>
  attribute === 'targetNamespace' ||
  attribute === 'namespace' ||
  attribute === 'xmlns' ||
  attribute.startsWith('xmlns:');

const localPart = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The targetNamespace of the root element as written, which means escaped. */
function ownNamespace(wsdl: string): string {
  let own: string | undefined;
  withAttributes(wsdl, (element, attribute, value) => {
    if (own === undefined && attribute === 'targetNamespace' && localPart(element) === 'definitions') own = value;
    return value;
  });
  if (own === undefined) throw new Error('The WSDL has no targetNamespace.');
  return own;
}

// Comments, CDATA sections and processing instructions come first, so that text in them that looks like a tag is skipped.
const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)/g;
const ATTRIBUTE = /([\w:.-]+)(\s*=\s*)(?:"([^"]*)"|'([^']*)')/g;

type Rewrite = (element: string, attribute: string, value: string) => string;

/** Passes the text of every attribute to `rewrite`. An attribute that it returns unchanged also keeps its quotes. */
function withAttributes(wsdl: string, rewrite: Rewrite): string {
  return wsdl.replace(MARKUP, (markup: string, element?: string, attributes?: string) => {
    if (element === undefined || !attributes) return markup;
    const rewritten = attributes.replace(
      ATTRIBUTE,
      (whole: string, name: string, equals: string, quoted?: string, apostrophed?: string) => {
        const value = quoted ?? apostrophed ?? '';
        const result = rewrite(element, name, value);
        return result === value ? whole : `${name}${equals}"${result}"`;
      },
    );
    return `<${element}${rewritten}`;
  });
}
