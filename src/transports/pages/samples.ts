import { STATUS_CODES } from 'node:http';
import {
  type Contract,
  type Operation,
  type RecordType,
  type ResultRecord,
  type ResultValue,
  TRANSPORT_TITLES,
  type Transport,
} from '../../contract/contract.ts';
import { readParameterValue } from '../../contract/parameter-values.ts';
import { isRefusal, RESULT_CODES } from '../../vocabulary/result-codes.ts';
import { escapeAttribute, escapeText } from '../../xml/xml-characters.ts';
import { TEXT, XML } from '../answer.ts';
import { FAULT_ANSWERS, type Fault, faultOf, faultOfRefusal, type RefusalStyle } from '../faults.ts';
import { compileRecordWriter, compileResponseWriter } from '../record-writer.ts';
import { createFaultWriter, writeEnvelope } from '../soap/soap-fault.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from '../soap/soap-versions.ts';
import { type Html, html } from './html.ts';

/** A request and its answer as they are sent, except for line breaks added to the XML, which the lengths include. */
export interface SampleExchange {
  readonly title: string;
  readonly transport: Transport;
  readonly request: string;
  readonly response: string;
}

/** One exchange per transport, derived from the contract. */
export function sampleExchanges(contract: Contract, operation: Operation, endpoint: string): readonly SampleExchange[] {
  const { host, pathname } = new URL(endpoint);
  const record = sampleRecord(operation.resultType, operation);
  const form = operation.parameters.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`).join('&');
  const soap = (version: SoapVersion, headers: readonly string[]): SampleExchange => ({
    title: version.title,
    transport: version.name,
    request: message(
      [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${version.contentType}`, ...headers],
      sampleEnvelope(version, operation, contract.namespace),
    ),
    response: soapResult(version, contract, operation, record),
  });
  const response = formResult(200, contract, operation, record);
  const path = `${pathname}/${operation.name}`;
  return [
    soap(SOAP_11, [`SOAPAction: "${operation.soapAction}"`]),
    soap(SOAP_12, []),
    {
      title: TRANSPORT_TITLES.httpGet,
      transport: 'httpGet',
      request: `GET ${path}${form === '' ? '' : `?${form}`} HTTP/1.1\nHost: ${host}\n`,
      response,
    },
    {
      title: TRANSPORT_TITLES.httpPost,
      transport: 'httpPost',
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

/** A call that fails, and its answer on each transport. */
export interface SampleProblem {
  /** Continues "The answer if". */
  readonly cause: Html;
  readonly answers: readonly { readonly title: string; readonly message: string }[];
}

const CORRELATION_ID = 'b0a7c9d2-5e1f-4c3a-9f60-7d1e2a3b4c5d';

/** A refusal by one of the hospital's rules for this operation, in the deployment's style. */
export function sampleRefusal(
  contract: Contract,
  operation: Operation,
  style: RefusalStyle,
): SampleProblem | undefined {
  const refusals = operation.resultCodes.filter((code) => isRefusal(RESULT_CODES[code].number));
  // InvalidInput is a refusal of every operation with rules; another one says more about this one.
  const name = refusals.find((code) => code !== 'InvalidInput') ?? refusals[0];
  if (name === undefined) return undefined;
  const { number, status, meaning } = RESULT_CODES[name];
  const record = { ResultCode: number, ResultText: meaning };
  const fault = faultOfRefusal({ record, refused: true, parameter: undefined }, CORRELATION_ID);
  const asFault = style === 'fault';
  return {
    cause: html`a rule refuses the call, such as with <code>${number} ${name}</code>`,
    answers: answersOf(
      (version) => (asFault ? soapFault(version, contract, fault) : soapResult(version, contract, operation, record)),
      formResult(asFault ? status : 200, contract, operation, record),
    ),
  };
}

/** A value of the wrong type, as the contract's own reader refuses it; undefined if the operation has no parameters. */
export function sampleFault(contract: Contract, { parameters }: Operation): SampleProblem | undefined {
  const parameter = parameters.find(({ type }) => type !== 'string') ?? parameters[0];
  if (parameter === undefined) return undefined;
  const { name, type, maxLength = 0 } = parameter;
  const value = type === 'string' ? 'x'.repeat(maxLength + 1) : 'abc';
  let fault: Fault;
  try {
    readParameterValue(parameter, value, 'xsd');
    return undefined;
  } catch (error) {
    fault = faultOf(error, CORRELATION_ID);
  }
  return {
    cause: html`<code>${name}</code> is ${type === 'string' ? `${value.length} characters long` : html`<code>${value}</code>`}`,
    answers: answersOf(
      (version) => soapFault(version, contract, fault),
      message([statusLine(FAULT_ANSWERS[fault.code].status), `Content-Type: ${TEXT}`], fault.message),
    ),
  };
}

const answersOf = (answerIn: (version: SoapVersion) => string, form: string): SampleProblem['answers'] => [
  { title: SOAP_11.title, message: answerIn(SOAP_11) },
  { title: SOAP_12.title, message: answerIn(SOAP_12) },
  { title: 'HTTP GET and HTTP POST', message: form },
];

// --- Messages

/** Head and body, with the length of the body as it is shown here. */
const message = (head: readonly string[], body: string): string =>
  `${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\n')}\n\n${body}`;

const xmlAnswer = (status: number, contentType: string, xml: string): string =>
  message([statusLine(status), `Content-Type: ${contentType}`], indentXml(xml));

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;

function soapResult(version: SoapVersion, { namespace }: Contract, operation: Operation, record: ResultRecord): string {
  const result = compileResponseWriter(operation, namespace)(record);
  return xmlAnswer(200, version.contentType, writeEnvelope(version, '', result));
}

function soapFault(version: SoapVersion, { fault: type, namespace }: Contract, fault: Fault): string {
  const { status, body } = createFaultWriter(type, namespace)(version, fault);
  return xmlAnswer(status, version.contentType, writeEnvelope(version, '', body));
}

function formResult(status: number, { namespace }: Contract, { resultType }: Operation, record: ResultRecord): string {
  const xml = compileRecordWriter(resultType, resultType.name, namespace)(record);
  return xmlAnswer(status, XML, `<?xml version="1.0" encoding="utf-8"?>${xml}`);
}

/** A possible answer: fields with their examples, or with those of the parameters of the same name. A list has one item. */
const sampleRecord = ({ fields }: RecordType, operation: Operation): ResultRecord =>
  Object.fromEntries(
    fields.map(({ name, type, repeated, example }) => {
      const text = example ?? operation.parameters.find((parameter) => parameter.name === name)?.example;
      let value: ResultValue = text;
      if (typeof type === 'object') value = sampleRecord(type, operation);
      else if (type === 'int' && text !== undefined) value = Number(text);
      else if (type === 'boolean' && text !== undefined) value = text === 'true';
      return [name, repeated ? [value] : value];
    }),
  );

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
