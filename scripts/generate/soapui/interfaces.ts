import type { Contract, Operation } from '../../../src/contract/contract.ts';
import { sampleEnvelope } from '../../../src/transports/pages/samples.ts';
import { SOAP_11, type SoapVersion } from '../../../src/transports/soap/soap-versions.ts';
import { cdataElement, element, expansion, ids, NO_CREDENTIALS, textElement, type Values } from './soapui-element.ts';

/** SoapUI's name of the address of the service, which a tester sets. */
const SERVER = expansion('Project', 'server');
/** SoapUI's name of the GET and POST forms. */
export const FORMS = 'GET and POST forms';

/**
 * The binding of a version, with one example request per operation. SoapUI reads the definition from the service when it first needs it,
 * because there is no definitionCache.
 */
export function soapInterface(contract: Contract, version: SoapVersion): string {
  const endpoint = SERVER + contract.path;
  const port = contract.ports[version.name];
  const exampleOf = ({ name }: Operation) => ({ ...ids(port, name, 'call'), name: 'Example' });
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
      definition: `${endpoint}?wsdl`,
    },
    [
      element('settings'),
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
          [element('settings'), element('call', exampleOf(operation), soapRequest(contract, version, operation))],
        ),
      ),
    ],
  );
}

/** What a SOAP request of the project contains, in an interface or in a test step; `values` replace the contract's examples. */
export function soapRequest(
  contract: Contract,
  version: SoapVersion,
  operation: Operation,
  values: Values = {},
  assertions: readonly string[] = [],
): readonly string[] {
  const parameters = operation.parameters.map((each) => ({
    ...each,
    // No record has the number 0.
    example: values[each.name] ?? (each.leftEmpty ? (each.type === 'int' ? '0' : '') : each.example),
  }));
  return [
    element('settings'),
    textElement('encoding', 'UTF-8'),
    textElement('endpoint', SERVER + contract.path),
    cdataElement('request', sampleEnvelope(version, { ...operation, parameters }, contract.namespace)),
    ...assertions,
    NO_CREDENTIALS,
    element('wsaConfig', { mustUnderstand: 'NONE', version: '200508', action: operation.soapAction }),
  ];
}

/** The GET and POST forms, as a REST service with one resource per operation. */
export const formInterface = (contract: Contract): string =>
  element(
    'interface',
    {
      'xsi:type': 'con:RestService',
      ...ids('forms'),
      wadlVersion: 'http://wadl.dev.java.net/2009/02',
      name: FORMS,
      type: 'rest',
      basePath: '',
    },
    [
      element('settings'),
      element('endpoints', {}, [textElement('endpoint', SERVER)]),
      ...contract.operations.map((operation) => formResource(formPath(contract, operation), operation)),
    ],
  );

/** The path of an operation's forms, by which SoapUI knows them. */
export const formPath = ({ path }: Contract, { name }: Operation): string => `${path}/${name}`;

/** A form of the project, in the interface or in a test step; `values` replace the contract's examples. */
export function formRequest(
  tag: 'request' | 'restRequest',
  attributes: Values,
  { verb, operation }: { readonly verb: 'GET' | 'POST'; readonly operation: Operation },
  values: Values = {},
  assertions: readonly string[] = [],
): string {
  const entries = operation.parameters.map(({ name, leftEmpty, example }) =>
    element('entry', { key: name, value: values[name] ?? (leftEmpty ? '' : example) }),
  );
  const order = operation.parameters.map(({ name }) => textElement('entry', name));
  return element(
    tag,
    { ...attributes, mediaType: 'application/x-www-form-urlencoded', postQueryString: String(verb === 'POST') },
    [
      element('settings'),
      textElement('encoding', 'UTF-8'),
      textElement('endpoint', SERVER),
      element('request'),
      ...assertions,
      NO_CREDENTIALS,
      element('parameters', {}, entries),
      element('parameterOrder', {}, order),
    ],
  );
}

function formResource(path: string, operation: Operation): string {
  const { name } = operation;
  const parameters = operation.parameters.map(({ name: key, mayBeOmitted, leftEmpty, example }) =>
    element('parameter', { required: String(!mayBeOmitted) }, [
      textElement('name', key),
      textElement('value', leftEmpty ? '' : example),
      textElement('style', 'QUERY'),
    ]),
  );
  const method = (verb: 'GET' | 'POST') =>
    element('method', { name: verb, ...ids('forms', name, verb), method: verb }, [
      element('settings'),
      element('parameters'),
      formRequest('request', { name: 'Example', ...ids('forms', name, verb, 'request') }, { verb, operation }),
    ]);
  return element('resource', { name, path, ...ids('forms', name) }, [
    element('settings'),
    element('parameters', {}, parameters),
    method('GET'),
    method('POST'),
  ]);
}
