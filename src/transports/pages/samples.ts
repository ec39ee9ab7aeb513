import type { Contract, Operation, RecordType, ResultRecord, ScalarType } from '../../contract/contract.ts';
import { escapeAttribute, escapeText } from '../../xml/xml-characters.ts';
import { TEXT, XML } from '../answer.ts';
import { compileRecordWriter, compileResponseWriter, writeEmptyResponse } from '../record-writer.ts';
import { writeEnvelope } from '../soap/soap-fault.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from '../soap/soap-versions.ts';
import type { PageSettings } from './page.ts';

/**
 * One exchange per transport, derived from the contract: a request and its answer as they are sent, except for line breaks added to the XML,
 * which the lengths include.
 */
export function sampleExchanges(
  contract: Contract,
  operation: Operation,
  { endpoint, results }: Pick<PageSettings, 'endpoint' | 'results'>,
) {
  const { host, pathname } = new URL(endpoint);
  const { namespace } = contract;
  const { name, soapAction, resultType, parameters } = operation;
  const record = sampleRecord(resultType, operation);
  const form = parameters.map((parameter) => `${parameter.name}=${encodeURIComponent(parameter.example)}`).join('&');
  const isEmpty = results === 'none';
  const writeResponse = isEmpty
    ? () => writeEmptyResponse(operation, namespace)
    : compileResponseWriter(operation, namespace);
  const soap = (version: SoapVersion, headers: readonly string[]) => ({
    transport: version.name,
    request: message(
      [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${version.contentType}`, ...headers],
      sampleEnvelope(version, operation, namespace),
    ),
    response: xmlAnswer(version.contentType, writeEnvelope(version, '', writeResponse(record))),
  });
  const written = compileRecordWriter(resultType, namespace, resultType.name)(record);
  const response = isEmpty
    ? message(['HTTP/1.1 200 OK', `Content-Type: ${TEXT}`], '')
    : xmlAnswer(XML, `<?xml version="1.0" encoding="utf-8"?>${written}`);
  const path = `${pathname}/${name}`;
  return [
    soap(SOAP_11, [`SOAPAction: "${soapAction}"`]),
    soap(SOAP_12, []),
    {
      transport: 'httpGet' as const,
      request: `GET ${path}${form === '' ? '' : `?${form}`} HTTP/1.1\nHost: ${host}\n`,
      response,
    },
    {
      transport: 'httpPost' as const,
      request: message(
        [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/x-www-form-urlencoded'],
        form,
      ),
      response,
    },
  ];
}

/** An envelope that calls the operation with its examples. */
export function sampleEnvelope(version: SoapVersion, { name, parameters }: Operation, namespace: string): string {
  const children = parameters.map((p) => `<${p.name}>${escapeText(p.example)}</${p.name}>`).join('');
  const call = `<${name} xmlns="${escapeAttribute(namespace)}">${children}</${name}>`;
  return indentXml(writeEnvelope(version, '', call));
}

/** Head and body, with the length of the body as it is shown here. */
const message = (head: readonly string[], body: string): string =>
  `${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\n')}\n\n${body}`;

const xmlAnswer = (contentType: string, xml: string): string =>
  message(['HTTP/1.1 200 OK', `Content-Type: ${contentType}`], indentXml(xml));

/** A possible answer: fields with their examples, or with those of the parameters of the same name. A list has one item. */
export const sampleRecord = ({ fields }: RecordType, operation: Operation): ResultRecord =>
  Object.fromEntries(
    fields.map(({ name, type, repeated, example }) => {
      const text = example ?? operation.parameters.find((parameter) => parameter.name === name)?.example;
      const value = typeof type === 'object' ? sampleRecord(type, operation) : readSample(type, text);
      return [name, repeated ? [value] : value];
    }),
  );

const readSample = (type: ScalarType, text: string | undefined) =>
  text === undefined || type === 'string' || type === 'dateTime' ? text : JSON.parse(text);

/** An element with its text, or a single tag. */
const TOKEN = /<[^<>/?][^<>]*(?<!\/)>[^<]*<\/[^<>]*>|<[^<>]*>/g;

/** Indents XML as the service writes it (without mixed content). An element without child elements stays on one line. */
function indentXml(xml: string): string {
  let depth = 0;
  const lines = Array.from(xml.matchAll(TOKEN), ([token]) => {
    if (token.startsWith('</')) depth--;
    const line = '  '.repeat(depth) + token;
    if (/^<[^/?]/.test(token) && !token.includes('</') && !token.endsWith('/>')) depth++;
    return line;
  });
  return lines.join('\n');
}
