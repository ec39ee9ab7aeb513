import { escapeAttribute } from '../xml/xml-characters.ts';
import { operationUri } from './contract.ts';

// Our WSDL is changed as text, so that all other text stays the same, byte for byte.

/** The WSDL for a deployment's namespace, which occurs in the targetNamespaces, the prefixes bound to it and the soapActions. */
export function withNamespace(wsdl: string, namespace: string): string {
  const [, own = ''] = /\stargetNamespace="([^"]*)"/.exec(wsdl) ?? [];
  const escaped = escapeAttribute(namespace);
  return wsdl
    .replaceAll(`"${own}"`, () => `"${escaped}"`)
    .replaceAll(`soapAction="${operationUri(own, '')}`, () => `soapAction="${operationUri(escaped, '')}`);
}

/** The WSDL with `endpointUrl` as the address of all its ports. */
export const withAddress = (wsdl: string, endpointUrl: string): string =>
  wsdl.replaceAll(/(:address location=)"[^"]*"/g, (_, start) => `${start}"${escapeAttribute(endpointUrl)}"`);

/** The WSDL without some of its service's ports, so that no proxy is generated for them. */
export const withoutPorts = (wsdl: string, ports: readonly string[]): string =>
  wsdl.replaceAll(/[ \t]*<wsdl:port name="([^"]*)"[\s\S]*?<\/wsdl:port>\r?\n?/g, (port, name) =>
    ports.includes(name) ? '' : port,
  );

/**
 * The WSDL without what only people read (comments, documentation, our own annotations, white space between elements) and without the
 * contents of types. What remains names the operations, and the elements, bindings and ports that belong to them.
 */
export const withoutDetails = (wsdl: string): string =>
  wsdl
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<(\w+:(?:documentation|annotation|complexType))\b(?:[^>]*\/>|[^>]*>[\s\S]*?<\/\1>)/g, '')
    .replaceAll(/>\s+</g, '><');
