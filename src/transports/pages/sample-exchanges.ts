import { type Contract, type Operation, TRANSPORT_TITLES, type Transport } from '../../contract/contract.ts';
import { escapeAttribute, escapeText } from '../../xml/xml-characters.ts';
import { XML } from '../answer.ts';
import { compileRecordWriter, compileResponseWriter } from '../record-writer.ts';
import { writeEnvelope } from '../soap/soap-fault.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from '../soap/soap-versions.ts';
import { indentXml } from './indent-xml.ts';
import { message, xmlDocument, xmlMessage } from './sample-message.ts';
import { sampleRecord } from './sample-record.ts';

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
  const record = sampleRecord(operation);
  const result = compileResponseWriter(operation, contract.namespace)(record);
  const { resultType } = operation;
  const plain = xmlDocument(compileRecordWriter(resultType, resultType.name, contract.namespace)(record));
  const form = operation.parameters.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`).join('&');
  const soap = (version: SoapVersion, headers: readonly string[]): SampleExchange => ({
    title: version.title,
    transport: version.name,
    request: message(
      [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${version.contentType}`, ...headers],
      sampleEnvelope(version, operation, contract.namespace),
    ),
    response: xmlMessage(200, version.contentType, writeEnvelope(version, '', result)),
  });
  const formAnswer = xmlMessage(200, XML, plain);
  const formPath = `${pathname}/${operation.name}`;
  return [
    soap(SOAP_11, [`SOAPAction: "${operation.soapAction}"`]),
    soap(SOAP_12, []),
    {
      title: TRANSPORT_TITLES.httpGet,
      transport: 'httpGet',
      request: `GET ${formPath}?${form} HTTP/1.1\nHost: ${host}\n`,
      response: formAnswer,
    },
    {
      title: TRANSPORT_TITLES.httpPost,
      transport: 'httpPost',
      request: message(
        [`POST ${formPath} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/x-www-form-urlencoded'],
        form,
      ),
      response: formAnswer,
    },
  ];
}

/** An envelope that calls the operation with its examples. */
export function sampleEnvelope(version: SoapVersion, { name, parameters }: Operation, namespace: string): string {
  const children = parameters.map((p) => `<${p.name}>${escapeText(p.example)}</${p.name}>`).join('');
  const call = `<${name} xmlns="${escapeAttribute(namespace)}">${children}</${name}>`;
  return indentXml(writeEnvelope(version, '', call));
}
