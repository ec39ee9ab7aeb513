import { WSSE_NAMESPACE } from '../../access/ws-security/security-header.ts';
import type { RecordType } from '../../contract/contract.ts';
import { type QualifiedName, ServiceError } from '../../vocabulary/errors.ts';
import { escapeAttribute, escapeText } from '../../xml/xml-characters.ts';
import { type Fault, faultAnswerOf } from '../faults.ts';
import { compileRecordWriter } from '../record-writer.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from './soap-versions.ts';

/** Writes the `soap:Fault` element; the prefix `soap` is the envelope's. */
export type WriteFault = (version: SoapVersion, fault: Fault) => string;

/** Header of a VersionMismatch fault: SOAP 1.2 part 1, 5.4.7. */
const UPGRADE = `<soap:Upgrade>${[SOAP_12, SOAP_11]
  .map((v, i) => `<soap:SupportedEnvelope xmlns:v${i}="${v.envelopeNamespace}" qname="v${i}:Envelope"/>`)
  .join('')}</soap:Upgrade>`;

/** Its fault codes replace ours: SOAP Message Security 1.1, 12. */
const XMLNS_WSSE = `xmlns:wsse="${WSSE_NAMESPACE}"`;

/** Always bound to the prefix `xml`, and to no other: Namespaces in XML 1.0, 3. */
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

/** Writes faults with the contract's ServiceFault in their detail. */
export function createFaultWriter(faultType: RecordType, namespace: string): WriteFault {
  const writeDetail = compileRecordWriter(faultType, namespace, faultType.name);
  const subcodeNamespace = escapeAttribute(namespace);
  return (version, fault) => {
    // SOAP 1.1, 4.4: detail is about the Body only, and must be absent if the error is in a header.
    const aboutHeader =
      fault.code === 'MustUnderstand' || fault.code === 'VersionMismatch' || fault.securityFault !== undefined;
    const detail = aboutHeader ? '' : writeDetail(detailOf(fault));
    const message = escapeText(fault.message);
    const { soap11, soap12 } = faultAnswerOf(fault);
    if (version === SOAP_11) {
      const code =
        fault.securityFault === undefined
          ? `<faultcode>soap:${soap11}</faultcode>`
          : `<faultcode ${XMLNS_WSSE}>wsse:${fault.securityFault}</faultcode>`;
      return `<soap:Fault>${code}<faultstring>${message}</faultstring>${detail === '' ? '' : `<detail>${detail}</detail>`}</soap:Fault>`;
    }
    const value =
      fault.securityFault === undefined
        ? `<soap:Value xmlns:tns="${subcodeNamespace}">tns:${fault.code}</soap:Value>`
        : `<soap:Value ${XMLNS_WSSE}>wsse:${fault.securityFault}</soap:Value>`;
    const subcode = `<soap:Subcode>${value}</soap:Subcode>`;
    return `<soap:Fault><soap:Code><soap:Value>soap:${soap12}</soap:Value>${subcode}</soap:Code><soap:Reason><soap:Text xml:lang="en">${message}</soap:Text></soap:Reason>${detail === '' ? '' : `<soap:Detail>${detail}</soap:Detail>`}</soap:Fault>`;
  };
}

const detailOf = (fault: Fault) => ({
  Code: fault.code,
  ResultCode: fault.resultCode,
  Message: fault.message,
  Parameter: fault.parameter,
  CorrelationId: fault.correlationId,
});

/** The header blocks that the fault of an error requires; may be empty. */
export function writeFaultHeader(version: SoapVersion, error: unknown): string {
  if (version === SOAP_11 || !(error instanceof ServiceError)) return '';
  if (error.code === 'VersionMismatch') return UPGRADE;
  // SOAP 1.2 part 1, 5.4.8
  return error.notUnderstood.map(writeNotUnderstood).join('');
}

function writeNotUnderstood({ namespace, localName }: QualifiedName): string {
  const name = escapeAttribute(localName);
  if (namespace === '') return `<soap:NotUnderstood qname="${name}"/>`;
  if (namespace === XML_NAMESPACE) return `<soap:NotUnderstood qname="xml:${name}"/>`;
  return `<soap:NotUnderstood xmlns:h="${escapeAttribute(namespace)}" qname="h:${name}"/>`;
}

/** ASMX declares them in every envelope, and programs were found that look for its literal text. */
export const XMLNS_IN_ENVELOPE =
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

/** A whole message, as the `soap` library writes it with `XMLNS_IN_ENVELOPE`. */
export const writeEnvelope = ({ envelopeNamespace }: SoapVersion, header: string, body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${envelopeNamespace}" ${XMLNS_IN_ENVELOPE}>${header === '' ? '' : `<soap:Header>${header}</soap:Header>`}<soap:Body>${body}</soap:Body></soap:Envelope>`;
