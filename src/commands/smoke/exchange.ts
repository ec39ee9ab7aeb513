import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Contract, Operation, Transport } from '../../contract/contract.ts';
import { SOAP_11, SOAP_12 } from '../../transports/soap/soap-versions.ts';
import { escapeAttribute, escapeText } from '../../xml/escape.ts';
import type { Proof } from './log-in.ts';

export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Values = Readonly<Record<string, string>>;

export function send({ method, url, headers, body }: Exchange): Promise<Answer> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const length = method === 'POST' ? { 'Content-Length': Buffer.byteLength(body) } : {};
    const outgoing = request(url, { method, headers: { ...headers, ...length }, timeout: 10_000 }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 10 s')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Whether a call of this transport is a SOAP message. */
export const isSoap = (transport: Transport): boolean => transport === 'soap11' || transport === 'soap12';

/** A call as its transport writes it. Source: the WSDL's bindings. */
export function exchangeOf(
  contract: Contract,
  endpoint: string,
  transport: Transport,
  { name, soapAction, parameters }: Operation,
  values: Values,
  { headers: proof, blocks }: Proof,
): Exchange {
  const given = parameters.map((parameter) => [parameter.name, values[parameter.name] ?? ''] as const);
  if (!isSoap(transport)) {
    const form = new URLSearchParams(Object.fromEntries(given)).toString();
    const url = `${endpoint}/${name}`;
    return transport === 'httpGet'
      ? { method: 'GET', url: `${url}?${form}`, headers: proof, body: '' }
      : { method: 'POST', url, headers: { ...proof, 'Content-Type': 'application/x-www-form-urlencoded' }, body: form };
  }
  const version = transport === 'soap11' ? SOAP_11 : SOAP_12;
  const children = given.map(([key, value]) => `<${key}>${escapeText(value)}</${key}>`).join('');
  const header = blocks === '' ? '' : `<soap:Header>${blocks}</soap:Header>`;
  const body = `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${version.envelopeNamespace}">${header}<soap:Body><${name} xmlns="${escapeAttribute(contract.namespace)}">${children}</${name}></soap:Body></soap:Envelope>`;
  const action: Values = transport === 'soap11' ? { SOAPAction: `"${soapAction}"` } : {};
  return { method: 'POST', url: endpoint, headers: { ...proof, 'Content-Type': version.contentType, ...action }, body };
}

/** What is wrong with the form of an answer, or undefined. Its content is checked elsewhere. */
export function flawOf(
  contract: Contract,
  transport: Transport,
  { responseName, resultType }: Operation,
  { status, headers, body }: Answer,
): string | undefined {
  if (status !== 200) return `status ${status}: ${body.slice(0, 300)}`;
  const contentType = transport === 'soap12' ? SOAP_12.contentType : SOAP_11.contentType;
  if (headers['content-type'] !== contentType) return `Content-Type ${headers['content-type']}`;
  if (headers['content-length'] !== String(Buffer.byteLength(body)))
    return `Content-Length ${headers['content-length']}`;
  const element = `<${isSoap(transport) ? responseName : resultType.name} xmlns="${escapeAttribute(contract.namespace)}">`;
  if (!body.includes(element)) return `no ${element}`;
  if (isSoap(transport) && !body.includes(`"${(transport === 'soap11' ? SOAP_11 : SOAP_12).envelopeNamespace}"`))
    return 'another envelope';
  return undefined;
}

/** The text of the first element with that name. */
export const fieldOf = (body: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1];
