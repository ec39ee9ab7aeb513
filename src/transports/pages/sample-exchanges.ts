import type {
  Contract,
  Operation,
  RecordType,
  ResultRecord,
  ResultValue,
  ScalarType,
} from '../../contract/contract.ts';
import { compileRecordWriter, compileResponseWriter, escapeAttribute, escapeText } from '../record-writer.ts';
import { writeEnvelope } from '../soap/soap-fault.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from '../soap/soap-versions.ts';

/** A request and its answer, as they look on the wire. */
export interface SampleExchange {
  readonly title: string;
  readonly request: string;
  readonly response: string;
}

const RESULT_SAMPLES: Readonly<Record<ScalarType, ResultValue>> = {
  int: 1,
  string: 'text',
  dateTime: '2027-01-18T10:15:00',
  boolean: true,
};

/** One exchange a transport, made from the contract, with the lengths that the messages really have. */
export function sampleExchanges(contract: Contract, operation: Operation, endpoint: string): readonly SampleExchange[] {
  const { host, pathname } = new URL(endpoint);
  const record = sampleRecord(operation.resultType);
  const result = compileResponseWriter(operation, contract.namespace)(record);
  const plain = `<?xml version="1.0" encoding="utf-8"?>\n${compileRecordWriter(operation.resultType, operation.resultType.name, contract.namespace)(record)}`;
  const form = operation.parameters.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`).join('&');
  const soap = (title: string, version: SoapVersion, headers: readonly string[]): SampleExchange => {
    const body = writeEnvelope(version, '', requestElement(operation, contract.namespace));
    return {
      title,
      request: message(
        [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${version.contentType}`, ...headers],
        body,
      ),
      response: message(
        ['HTTP/1.1 200 OK', `Content-Type: ${version.contentType}`],
        writeEnvelope(version, '', result),
      ),
    };
  };
  const formAnswer = message(['HTTP/1.1 200 OK', 'Content-Type: text/xml; charset=utf-8'], plain);
  const formPath = `${pathname}/${operation.name}`;
  return [
    soap('SOAP 1.1', SOAP_11, [`SOAPAction: "${operation.soapAction}"`]),
    soap('SOAP 1.2', SOAP_12, []),
    { title: 'HTTP GET', request: `GET ${formPath}?${form} HTTP/1.1\nHost: ${host}\n`, response: formAnswer },
    {
      title: 'HTTP POST',
      request: message(
        [`POST ${formPath} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/x-www-form-urlencoded'],
        form,
      ),
      response: formAnswer,
    },
  ];
}

const message = (head: readonly string[], body: string): string =>
  `${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\n')}\n\n${body}`;

function requestElement({ name, parameters }: Operation, namespace: string): string {
  const children = parameters.map((p) => `<${p.name}>${escapeText(p.example)}</${p.name}>`).join('');
  return `<${name} xmlns="${escapeAttribute(namespace)}">${children}</${name}>`;
}

function sampleRecord({ fields }: RecordType): ResultRecord {
  return Object.fromEntries(
    fields.map(({ name, type, repeated }) => {
      const value = typeof type === 'string' ? RESULT_SAMPLES[type] : sampleRecord(type);
      return [name, repeated ? [value] : value];
    }),
  );
}
