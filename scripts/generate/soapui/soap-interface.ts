import type { Contract, Operation } from '../../../src/contract/contract.ts';
import { withAddress } from '../../../src/contract/rewrite-wsdl.ts';
import { SOAP_11, type SoapVersion } from '../../../src/transports/soap/soap-versions.ts';
import { escapeAttribute, escapeText } from '../../../src/xml/xml-characters.ts';
import { type DateProperties, parameterText, SERVER } from './project-properties.ts';
import { cdataElement, element, expansion, ids, NO_CREDENTIALS, textElement, type Values } from './soapui-element.ts';

/** The binding of a version, with the WSDL inside and one example request per operation. */
export function soapInterface(contract: Contract, wsdl: string, version: SoapVersion, dates: DateProperties): string {
  const endpoint = SERVER + contract.path;
  const definition = `${endpoint}?wsdl`;
  const port = contract.ports[version.name];
  return element(
    'interface',
    {
      'xsi:type': 'con:WsdlInterface',
      ...ids(port),
      wsaVersion: 'NONE',
      name: port,
      type: 'wsdl',
      bindingName: `{${contract.namespace}}${port}`,
      soapVersion: version === SOAP_11 ? '1_1' : '1_2',
      anonymous: 'optional',
      definition,
    },
    [
      element('settings'),
      element('definitionCache', { type: 'TEXT', rootPart: definition }, [
        element('part', {}, [
          textElement('url', definition),
          cdataElement('content', withAddress(wsdl, endpoint)),
          textElement('type', 'http://schemas.xmlsoap.org/wsdl/'),
        ]),
      ]),
      element('endpoints', {}, [textElement('endpoint', endpoint)]),
      ...contract.operations.map((operation) =>
        element(
          'operation',
          {
            ...ids(port, operation.name),
            isOneWay: 'false',
            action: operation.soapAction,
            name: operation.name,
            bindingOperationName: operation.name,
            type: 'Request-Response',
            inputName: '',
            receivesAttachments: 'false',
            sendsAttachments: 'false',
            anonymous: 'optional',
          },
          [
            element('settings'),
            element(
              'call',
              { ...ids(port, operation.name, 'call'), name: 'Example' },
              soapRequest(contract, version, operation, {}, dates),
            ),
          ],
        ),
      ),
    ],
  );
}

/** What a SOAP request of the project contains, in an interface or in a test step. */
export function soapRequest(
  contract: Contract,
  version: SoapVersion,
  operation: Operation,
  values: Values,
  dates: DateProperties,
  assertions: readonly string[] = [],
): readonly string[] {
  return [
    element('settings'),
    textElement('encoding', 'UTF-8'),
    textElement('endpoint', expansion('Project', 'server') + contract.path),
    cdataElement('request', envelope(contract, version, operation, values, dates)),
    ...assertions,
    NO_CREDENTIALS,
    element('wsaConfig', { mustUnderstand: 'NONE', version: '200508', action: operation.soapAction }),
  ];
}

function envelope(
  { namespace }: Contract,
  { envelopeNamespace }: SoapVersion,
  { name, parameters }: Operation,
  values: Values,
  dates: DateProperties,
): string {
  const children = parameters
    .map((p) => `         <tp:${p.name}>${escapeText(parameterText(p, values, dates))}</tp:${p.name}>`)
    .join('\n');
  return `<soapenv:Envelope xmlns:soapenv="${envelopeNamespace}" xmlns:tp="${escapeAttribute(namespace)}">
   <soapenv:Header/>
   <soapenv:Body>
      <tp:${name}>
${children}
      </tp:${name}>
   </soapenv:Body>
</soapenv:Envelope>`;
}
