import { TRANSPORT_TITLES } from '../../contract/contract.ts';

/** What differs between the versions of SOAP, as data. */
export interface SoapVersion {
  readonly name: 'soap11' | 'soap12';
  /** As shown to people: `SOAP 1.1`. */
  readonly title: string;
  readonly envelopeNamespace: string;
  /** Without parameters. */
  readonly mediaType: string;
  /** The Content-Type of answers. */
  readonly contentType: string;
  /** Local name of the header attribute that says which node a header block is for: SOAP 1.1, 4.2.2; SOAP 1.2 part 1, 5.2.2. */
  readonly roleAttribute: 'actor' | 'role';
  /** Values of the role attribute that address this service, which is both next and last. An absent attribute also addresses it. */
  readonly ourRoles: readonly string[];
}

/** Source: Simple Object Access Protocol (SOAP) 1.1, W3C Note of 8 May 2000. */
export const SOAP_11: SoapVersion = {
  name: 'soap11',
  title: TRANSPORT_TITLES.soap11,
  envelopeNamespace: 'http://schemas.xmlsoap.org/soap/envelope/',
  mediaType: 'text/xml',
  contentType: 'text/xml; charset=utf-8',
  roleAttribute: 'actor',
  ourRoles: ['', 'http://schemas.xmlsoap.org/soap/actor/next'],
};

/** Source: SOAP 1.2 part 1 (second edition); the media type is that of RFC 3902. */
export const SOAP_12: SoapVersion = {
  name: 'soap12',
  title: TRANSPORT_TITLES.soap12,
  envelopeNamespace: 'http://www.w3.org/2003/05/soap-envelope',
  mediaType: 'application/soap+xml',
  contentType: 'application/soap+xml; charset=utf-8',
  roleAttribute: 'role',
  ourRoles: [
    '',
    'http://www.w3.org/2003/05/soap-envelope/role/next',
    'http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver',
  ],
};

/** The version whose Envelope is in the namespace; undefined if there is none. */
export const versionOfEnvelope = (namespace: string): SoapVersion | undefined =>
  [SOAP_11, SOAP_12].find(({ envelopeNamespace }) => envelopeNamespace === namespace);

/** The version to which a media type without parameters belongs; undefined if there is none. */
export const versionOfMediaType = (essence: string): SoapVersion | undefined =>
  [SOAP_11, SOAP_12].find(({ mediaType }) => mediaType === essence);
