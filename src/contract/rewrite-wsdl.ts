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

/** The WSDL for callers: without comments and annotations, which are for this service and its developers. */
export const withoutNotes = (wsdl: string): string =>
  wsdl
    .replaceAll(
      /(?:\r?\n *)?(?:<!--(?:[^-]|-[^-])*-->|<s:appinfo>(?:[^<]|<\/?tp:)*<\/s:appinfo>|xmlns:tp="[^"]*")/g,
      '',
    )
    .replaceAll(/(?:\r?\n *)?<s:annotation>\s*<\/s:annotation>/g, '');

/** The WSDL with `endpointUrl` as the address of all its ports. */
export const withAddress = (wsdl: string, endpointUrl: string): string =>
  wsdl.replaceAll(/(:address location=)"[^"]*"/g, (_, start) => `${start}"${escapeAttribute(endpointUrl)}"`);

/** The WSDL without some of its service's ports, so that no proxy is generated for them. */
export const withoutPorts = (wsdl: string, ports: readonly string[]): string =>
  wsdl.replaceAll(/[ \t]*<wsdl:port name="([^"]*)"[\s\S]*?<\/wsdl:port>\r?\n?/g, (port, name) =>
    ports.includes(name) ? '' : port,
  );
