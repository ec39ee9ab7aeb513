import {
  type Contract,
  type Field,
  type Operation,
  operationUri,
  type Parameter,
} from '../../../src/contract/contract.ts';
import { escapeAttribute, escapeText } from '../../../src/xml/xml-characters.ts';

/**
 * A WSDL that says what a contract says. Our own WSDL repeats each operation in messages, portTypes and bindings; this says what follows
 * from the contract, so that a test can compare, and so that tests can have contracts of their own.
 */
export function wsdlOf(contract: Contract): string {
  const { namespace, serviceName, path, documentation, operations, ports } = contract;
  const forms = ['HttpGet', 'HttpPost'] as const;
  const address = `location="${escapeAttribute(`http://localhost:8080${path}`)}"`;
  return `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"
  xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/"
  xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tp="urn:tpwebservices:contract" xmlns:tns="${escapeAttribute(namespace)}"
  xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" targetNamespace="${escapeAttribute(namespace)}">
<wsdl:types><s:schema elementFormDefault="qualified" targetNamespace="${escapeAttribute(namespace)}">
${operations.map(wrappers).join('\n')}
${contract.types.map((type) => `<s:complexType name="${type.name}">${annotation(type.documentation)}${sequence(type.fields.map(fieldElement))}</s:complexType>`).join('\n')}
${[contract.fault, ...operations.map(({ resultType }) => resultType)].map(({ name }) => `<s:element name="${name}" type="tns:${name}" />`).join('\n')}
</s:schema></wsdl:types>
${operations.map((operation) => message(`${operation.name}Soap`, part('parameters', `element="tns:${operation.name}"`), part('parameters', `element="tns:${operation.responseName}"`))).join('\n')}
<wsdl:message name="${contract.fault.name}Message">${part('fault', `element="tns:${contract.fault.name}"`)}</wsdl:message>
${forms.flatMap((form) => operations.map((operation) => message(operation.name + form, operation.parameters.map(({ name }) => part(name, 'type="s:string"')).join(''), part('Body', `element="tns:${operation.resultType.name}"`)))).join('\n')}
${['Soap', ...forms].map((kind) => portType(contract, kind)).join('\n')}
${soapBinding(contract, 'soap', ports.soap11)}
${soapBinding(contract, 'soap12', ports.soap12)}
${forms.map((form) => formBinding(contract, form)).join('\n')}
<wsdl:service name="${serviceName}">${documented('wsdl', documentation)}
<wsdl:port name="${ports.soap11}" binding="tns:${ports.soap11}"><soap:address ${address} /></wsdl:port>
<wsdl:port name="${ports.soap12}" binding="tns:${ports.soap12}"><soap12:address ${address} /></wsdl:port>
<wsdl:port name="${ports.httpGet}" binding="tns:${ports.httpGet}"><http:address ${address} /></wsdl:port>
<wsdl:port name="${ports.httpPost}" binding="tns:${ports.httpPost}"><http:address ${address} /></wsdl:port>
</wsdl:service>
</wsdl:definitions>`;
}

// --- Types

const wrappers = ({ name, safe, resultCodes, parameters, responseName, resultName, resultType }: Operation): string =>
  `<s:element name="${name}">${annotation('', { safe: String(safe), resultCodes: resultCodes.join(' ') })}${anonymous(parameters.map(parameterElement))}</s:element>
<s:element name="${responseName}">${anonymous([`<s:element minOccurs="0" maxOccurs="1" name="${resultName}" type="tns:${resultType.name}" />`])}</s:element>`;

const anonymous = (elements: readonly string[]): string =>
  elements.length === 0 ? '<s:complexType />' : `<s:complexType>${sequence(elements)}</s:complexType>`;

const sequence = (elements: readonly string[]): string => `<s:sequence>\n${elements.join('\n')}\n</s:sequence>`;

function parameterElement(parameter: Parameter): string {
  const { name, type, required, mayBeOmitted, maxLength, example, documentation, patientData } = parameter;
  return `<s:element minOccurs="${required ? 1 : 0}" maxOccurs="1" name="${name}" type="s:${type}">${annotation(documentation, { maxLength, example, mayBeOmitted: mayBeOmitted || undefined, patientData })}</s:element>`;
}

function fieldElement({ name, type, required, repeated, example, documentation, patientData }: Field): string {
  const [typeName, values] =
    typeof type === 'string' ? [`s:${type}`, { example, patientData }] : [`tns:${type.name}`, {}];
  return `<s:element minOccurs="${required ? 1 : 0}" maxOccurs="${repeated ? 'unbounded' : 1}" name="${name}" type="${typeName}">${annotation(documentation, values)}</s:element>`;
}

function annotation(
  documentation: string,
  values: Readonly<Record<string, string | number | boolean | undefined>> = {},
) {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  const appinfo = known.map(([name, value]) => `<tp:${name}>${escapeText(String(value))}</tp:${name}>`).join('');
  return `<s:annotation>${documented('s', documentation)}<s:appinfo>${appinfo}</s:appinfo></s:annotation>`;
}

const documented = (prefix: string, text: string): string =>
  `<${prefix}:documentation>${escapeText(text)}</${prefix}:documentation>`;

// --- Messages, portTypes and bindings

const message = (name: string, input: string, output: string): string =>
  `<wsdl:message name="${name}In">${input}</wsdl:message>\n<wsdl:message name="${name}Out">${output}</wsdl:message>`;

const part = (name: string, what: string): string => `<wsdl:part name="${name}" ${what} />`;

/** Tools take the faults from the portType of SOAP; HTTP bindings cannot carry any. */
const portType = ({ serviceName, operations, fault }: Contract, kind: string): string =>
  `<wsdl:portType name="${serviceName}${kind}">
${operations
  .map(
    ({ name, documentation }) =>
      `<wsdl:operation name="${name}">${documented('wsdl', documentation)}<wsdl:input message="tns:${name}${kind}In" /><wsdl:output message="tns:${name}${kind}Out" />${kind === 'Soap' ? `<wsdl:fault name="${fault.name}" message="tns:${fault.name}Message" />` : ''}</wsdl:operation>`,
  )
  .join('\n')}
</wsdl:portType>`;

/** Also with soap:fault for SOAP 1.2: Axis 1.4 knows no other. */
const soapBinding = (
  { serviceName, namespace, operations, fault }: Contract,
  prefix: 'soap' | 'soap12',
  port: string,
): string =>
  `<wsdl:binding name="${port}" type="tns:${serviceName}Soap"><${prefix}:binding transport="http://schemas.xmlsoap.org/soap/http" />
${operations
  .map(
    ({ name }) =>
      `<wsdl:operation name="${name}"><${prefix}:operation soapAction="${escapeAttribute(operationUri(namespace, name))}" style="document" /><wsdl:input><${prefix}:body use="literal" /></wsdl:input><wsdl:output><${prefix}:body use="literal" /></wsdl:output><wsdl:fault name="${fault.name}">${(prefix === 'soap' ? ['soap'] : ['soap12', 'soap']).map((each) => `<${each}:fault name="${fault.name}" use="literal" />`).join('')}</wsdl:fault></wsdl:operation>`,
  )
  .join('\n')}
</wsdl:binding>`;

const formBinding = ({ ports, serviceName, operations }: Contract, form: 'HttpGet' | 'HttpPost'): string =>
  `<wsdl:binding name="${form === 'HttpGet' ? ports.httpGet : ports.httpPost}" type="tns:${serviceName}${form}"><http:binding verb="${form === 'HttpGet' ? 'GET' : 'POST'}" />
${operations
  .map(
    ({ name }) =>
      `<wsdl:operation name="${name}"><http:operation location="/${name}" /><wsdl:input>${form === 'HttpGet' ? '<http:urlEncoded />' : '<mime:content type="application/x-www-form-urlencoded" />'}</wsdl:input><wsdl:output><mime:mimeXml part="Body" /></wsdl:output></wsdl:operation>`,
  )
  .join('\n')}
</wsdl:binding>`;
