import { parseStringPromise, processors } from 'xml2js';
import type { Transport } from '../../../src/contract/contract.ts';
import { escapeText } from '../../../src/xml/xml-characters.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { envelope, SOAP_11, SOAP_12 } from './soap-request.ts';

export const TRANSPORTS: readonly Transport[] = ['soap11', 'soap12', 'httpGet', 'httpPost'];

export type Parameters = Readonly<Record<string, string | number>>;

/** The answer: the HTTP status, and the texts of the result record, or of the fault's detail. */
export interface FourTransportsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: XML as objects, as deep as the answer is
  readonly record: any;
  /** True if `record` is a SOAP fault's ServiceFault. */
  readonly fault: boolean;
}

/** Calls an operation with hand-made requests, in the same way on all four transports. */
export async function callOver(
  transport: Transport,
  endpoint: string,
  operation: string,
  parameters: Parameters,
  more: Readonly<Record<string, string>> = {},
): Promise<FourTransportsAnswer> {
  const { url, headers, ...init } = requestOver(transport, endpoint, operation, parameters);
  const response = await fetch(url, { ...init, headers: { ...headers, ...more } });
  const text = await response.text();
  const contentType = response.headers.get('content-type') ?? '';
  const answer = { status: response.status, contentType, text };
  if (!/xml/.test(contentType)) return { ...answer, record: {}, fault: false };
  const root = await parseStringPromise(text, {
    explicitArray: false,
    explicitRoot: false,
    ignoreAttrs: true,
    tagNameProcessors: [processors.stripPrefix],
  });
  if (transport === 'httpGet' || transport === 'httpPost') return { ...answer, record: root, fault: false };
  const fault = root.Body.Fault;
  if (fault !== undefined) return { ...answer, record: (fault.detail ?? fault.Detail).ServiceFault, fault: true };
  return { ...answer, record: root.Body[`${operation}Response`][`${operation}Result`], fault: false };
}

/** A request as it is sent. */
export interface TransportRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The request that calls an operation over a transport. */
export function requestOver(
  transport: Transport,
  endpoint: string,
  operation: string,
  parameters: Parameters,
): TransportRequest {
  const form = new URLSearchParams(parameters as Readonly<Record<string, string>>).toString();
  if (transport === 'httpGet') return { url: `${endpoint}/${operation}?${form}`, method: 'GET', headers: {} };
  if (transport === 'httpPost') {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    return { url: `${endpoint}/${operation}`, method: 'POST', headers, body: form };
  }
  const version = transport === 'soap11' ? SOAP_11 : SOAP_12;
  const values = Object.entries(parameters).map(([name, value]) => `<${name}>${escapeText(String(value))}</${name}>`);
  const call = `<${operation} xmlns="${ownContract.namespace}">${values.join('')}</${operation}>`;
  return {
    url: endpoint,
    method: 'POST',
    headers: {
      'Content-Type': version.contentType,
      ...(transport === 'soap11' ? { SOAPAction: `"${ownContract.namespace}${operation}"` } : {}),
    },
    body: envelope(version, call),
  };
}

/** The ResultCode of a result, a refused result or a fault. */
export const resultCodeOf = ({ record }: FourTransportsAnswer): number => Number(record.ResultCode);
