/** The transports of a call, each a port of the WSDL, with their titles for people, in the order of the WSDL's ports. */
export const TRANSPORT_TITLES = {
  soap11: 'SOAP 1.1',
  soap12: 'SOAP 1.2',
  httpGet: 'HTTP GET',
  httpPost: 'HTTP POST',
} as const;

export type Transport = keyof typeof TRANSPORT_TITLES;

export const TRANSPORTS = Object.keys(TRANSPORT_TITLES) as readonly Transport[];
