import type { Contract } from '../../contract/contract.ts';
import { escapeAttribute } from '../../xml/xml-characters.ts';

/**
 * The discovery document, which lists the addresses of the contract and the SOAP ports. Source: DISCO, as ASP.NET's services provide it.
 */
export function discoDocument(contract: Contract, endpoint: string): string {
  const address = escapeAttribute(endpoint);
  const binding = (port: string) =>
    `  <soap address="${address}" xmlns:q1="${escapeAttribute(contract.namespace)}" binding="q1:${port}" xmlns="http://schemas.xmlsoap.org/disco/soap/" />\n`;
  return `<?xml version="1.0" encoding="utf-8"?>
<discovery xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns="http://schemas.xmlsoap.org/disco/">
  <contractRef ref="${address}?wsdl" docRef="${address}" xmlns="http://schemas.xmlsoap.org/disco/scl/" />
${binding(contract.ports.soap11)}${binding(contract.ports.soap12)}</discovery>
`;
}
