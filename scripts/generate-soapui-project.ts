// Writes docs/TPWebServices-soapui-project.xml from the WSDL. With --check it writes nothing, and exits 1 if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Contract, Operation, Parameter } from '../src/contract/contract.ts';
import { readContract } from '../src/contract/read-wsdl.ts';
import { withAddress } from '../src/contract/rewrite-wsdl.ts';
import { escapeAttribute, escapeText } from '../src/transports/record-writer.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from '../src/transports/soap/soap-versions.ts';
import { MOVES } from '../src/vocabulary/appointment-status.ts';
import { ResultCode } from '../src/vocabulary/result-codes.ts';
import { firstDifference } from './generate-types.ts';
import {
  cdataElement,
  element,
  expansion,
  ids,
  properties,
  textElement,
  type Values,
} from './soapui/soapui-element.ts';

const WSDL = new URL('../wsdl/TPWebServices.wsdl', import.meta.url);
const GENERATED = new URL('../docs/TPWebServices-soapui-project.xml', import.meta.url);
const SERVER = 'http://localhost:8080';

const SOAPUI = 'http://eviware.com/soapui/config';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** One call of the test cases. */
interface Step {
  readonly name: string;
  readonly operation: string;
  /** By parameter: what stands in place of the contract's example. */
  readonly values?: Values;
  /** Fields of the result with the value that they must have. */
  readonly fields?: Values;
}

const APPOINTMENT_ID = { AppointmentID: expansion('TestCase', 'AppointmentID') };

const CANCEL = MOVES.find(({ name }) => name === 'Cancel');

/** Leaves nothing that would be in the way of another run: what it books, it cancels. */
const STEPS: readonly Step[] = [
  { name: 'Fetch_Details', operation: 'Fetch_Details', fields: { Status: '2' } },
  {
    name: 'Appointment_Status',
    operation: 'Appointment_Status',
    values: APPOINTMENT_ID,
    fields: { ...APPOINTMENT_ID, Status: '2' },
  },
  { name: 'OPAppointmentdetail', operation: 'OPAppointmentdetail' },
  {
    name: 'Appointment_Status_Updates',
    operation: 'Appointment_Status_Updates',
    values: APPOINTMENT_ID,
    fields: { ...APPOINTMENT_ID, Status: '2' },
  },
  {
    name: 'Appointment_Status_Updates Cancel',
    operation: 'Appointment_Status_Updates',
    values: { ...APPOINTMENT_ID, type: String(CANCEL?.type) },
    fields: { ...APPOINTMENT_ID, Status: String(CANCEL?.status), Changed: 'true' },
  },
  { name: 'GetDoctor', operation: 'GetDoctor' },
  { name: 'FB_Push_Details', operation: 'FB_Push_Details' },
  { name: 'Sent_SMS', operation: 'Sent_SMS' },
];

/** The whole project, in the format of SoapUI 5.7. */
export function soapUiProject(wsdl: string): string {
  const contract = readContract(wsdl);
  const dates = datesOf(contract);
  const versions = [SOAP_11, SOAP_12] as const;
  return `<?xml version="1.0" encoding="UTF-8"?>
${element(
  'soapui-project',
  {
    ...ids('project'),
    activeEnvironment: 'Default',
    name: contract.serviceName,
    resourceRoot: '',
    'soapui-version': '5.7.2',
    abortOnError: 'false',
    runType: 'SEQUENTIAL',
    'xmlns:con': SOAPUI,
    'xmlns:xsi': XSI,
  },
  [
    element('settings'),
    textElement('description', DESCRIPTION),
    ...versions.map((version) => soapInterface(contract, wsdl, version, dates)),
    formInterface(contract, dates),
    element('testSuite', { ...ids('suite'), name: 'All operations' }, [
      element('settings'),
      textElement('runType', 'SEQUENTIAL'),
      ...versions.map((version) => testCase(contract, version, dates)),
      element('properties'),
    ]),
    properties({ server: SERVER, ...Object.fromEntries(Array.from(dates, ([date, name]) => [name, date])) }),
    element('wssContainer'),
    element('oAuth2ProfileContainer'),
    element('oAuth1ProfileContainer'),
  ],
)}
`;
}

const DESCRIPTION =
  'Set the project properties: server is the base URL; date and newDate are two days on which the doctor works, in the next 365 days.';

const DATE_NAMES = ['date', 'newDate'];

/** Names of project properties by the dates of the contract's examples, so that a tester changes each in one place. */
function datesOf({ operations }: Contract): ReadonlyMap<string, string> {
  const dates = new Set<string>();
  for (const { parameters } of operations) {
    for (const { type, example } of parameters) if (type === 'dateTime') dates.add(example.slice(0, 10));
  }
  if (dates.size > DATE_NAMES.length) throw new Error(`There are ${dates.size} dates; name a property for each.`);
  return new Map(Array.from(dates, (date, index) => [date, DATE_NAMES[index] as string]));
}

function textOf({ name, type, example }: Parameter, values: Values, dates: ReadonlyMap<string, string>): string {
  const value = values[name];
  if (value !== undefined) return value;
  return type === 'dateTime'
    ? expansion('Project', dates.get(example.slice(0, 10)) ?? '') + example.slice(10)
    : example;
}

const portOf = ({ ports }: Contract, { name }: SoapVersion): string => ports[name];

function soapInterface(
  contract: Contract,
  wsdl: string,
  version: SoapVersion,
  dates: ReadonlyMap<string, string>,
): string {
  const endpoint = SERVER + contract.path;
  const definition = `${endpoint}?wsdl`;
  const port = portOf(contract, version);
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
            element('call', { ...ids(port, operation.name, 'call'), name: 'Example' }, [
              ...soapCall(contract, version, operation, {}, dates),
              wsaConfig(operation),
            ]),
          ],
        ),
      ),
    ],
  );
}

const wsaConfig = ({ soapAction }: Operation): string =>
  element('wsaConfig', { mustUnderstand: 'NONE', version: '200508', action: soapAction });

const NO_CREDENTIALS = element('credentials', {}, [textElement('authType', 'No Authorization')]);

function soapCall(
  contract: Contract,
  version: SoapVersion,
  operation: Operation,
  values: Values,
  dates: ReadonlyMap<string, string>,
  assertions: readonly string[] = [],
): readonly string[] {
  return [
    element('settings'),
    textElement('encoding', 'UTF-8'),
    textElement('endpoint', expansion('Project', 'server') + contract.path),
    cdataElement('request', envelope(contract, version, operation, values, dates)),
    ...assertions,
    NO_CREDENTIALS,
  ];
}

function envelope(
  { namespace }: Contract,
  { envelopeNamespace }: SoapVersion,
  { name, parameters }: Operation,
  values: Values,
  dates: ReadonlyMap<string, string>,
): string {
  const children = parameters
    .map((p) => `         <tp:${p.name}>${escapeText(textOf(p, values, dates))}</tp:${p.name}>`)
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

function testCase(contract: Contract, version: SoapVersion, dates: ReadonlyMap<string, string>): string {
  const key = version.title;
  const steps = STEPS.flatMap((step) => {
    const request = requestStep(contract, version, step, dates);
    return step.operation === 'Fetch_Details' ? [request, transferStep(contract, version, step)] : [request];
  });
  return element(
    'testCase',
    {
      ...ids(key),
      failOnError: 'true',
      failTestCaseOnErrors: 'true',
      keepSession: 'false',
      maxResults: '0',
      name: version.title,
      searchProperties: 'true',
    },
    [element('settings'), ...steps, properties({ AppointmentID: '' })],
  );
}

function requestStep(contract: Contract, version: SoapVersion, step: Step, dates: ReadonlyMap<string, string>): string {
  const operation = contract.operations.find(({ name }) => name === step.operation);
  if (operation === undefined) throw new Error(`There is no operation ${step.operation}.`);
  const key = [version.title, step.name] as const;
  const result = `//tp:${operation.resultName}`;
  const successes = [ResultCode.OK, ResultCode.Duplicate].map((code) => `. = ${code}`).join(' or ');
  const assertions = [
    element('assertion', { type: 'SOAP Response', ...ids(...key, 'soap'), name: 'SOAP Response' }),
    element('assertion', { type: 'SOAP Fault Assertion', ...ids(...key, 'fault'), name: 'Not SOAP Fault' }),
    element('assertion', { type: 'Valid HTTP Status Codes', ...ids(...key, 'status'), name: 'HTTP 200' }, [
      element('configuration', {}, ['<codes>200</codes>']),
    ]),
    element('assertion', { type: 'Schema Compliance', ...ids(...key, 'schema'), name: 'Schema Compliance' }, [
      element('configuration'),
    ]),
    xpathMatch(contract, key, 'ResultCode', `boolean(${result}/tp:ResultCode[${successes}])`, 'true'),
    ...Object.entries(step.fields ?? {}).map(([field, value]) =>
      xpathMatch(contract, key, field, `string(${result}/tp:${field})`, value),
    ),
  ];
  return element('testStep', { type: 'request', ...ids(...key), name: step.name }, [
    element('settings'),
    element('config', { 'xsi:type': 'con:RequestStep' }, [
      textElement('interface', portOf(contract, version)),
      textElement('operation', operation.name),
      element('request', { name: step.name, ...ids(...key, 'request') }, [
        ...soapCall(contract, version, operation, step.values ?? {}, dates, assertions),
        wsaConfig(operation),
      ]),
    ]),
  ]);
}

const declareNamespace = ({ namespace }: Contract): string => `declare namespace tp='${namespace}';`;

// SoapUI reads the children of a configuration without a namespace; the spelling of the third is its own.
const xpathMatch = (contract: Contract, key: readonly string[], name: string, path: string, content: string): string =>
  element('assertion', { type: 'XPath Match', ...ids(...key, 'xpath', name), name }, [
    element('configuration', {}, [
      `<path>${escapeText(`${declareNamespace(contract)} ${path}`)}</path>`,
      `<content>${escapeText(content)}</content>`,
      '<allowWildcards>false</allowWildcards>',
      '<ignoreNamspaceDifferences>false</ignoreNamspaceDifferences>',
      '<ignoreComments>false</ignoreComments>',
    ]),
  ]);

/** Hands the id of the appointment to the steps after it. */
const transferStep = (contract: Contract, { title }: SoapVersion, { name }: Step): string =>
  element('testStep', { type: 'transfer', ...ids(title, 'transfer'), name: 'Keep AppointmentID' }, [
    element('settings'),
    element('config', { 'xsi:type': 'con:PropertyTransfersStep' }, [
      element('transfers', { setNullOnMissingSource: 'true', transferTextContent: 'true', failOnError: 'true' }, [
        textElement('name', 'AppointmentID'),
        textElement('sourceType', 'Response'),
        textElement('sourceStep', name),
        textElement('sourcePath', `${declareNamespace(contract)} //tp:AppointmentID`),
        textElement('targetType', 'AppointmentID'),
        textElement('targetStep', '#TestCase#'),
        textElement('type', 'XPATH'),
        textElement('upgraded', 'true'),
      ]),
    ]),
  ]);

/** The GET and POST forms, as a REST service: one resource an operation. */
function formInterface(contract: Contract, dates: ReadonlyMap<string, string>): string {
  return element(
    'interface',
    {
      'xsi:type': 'con:RestService',
      ...ids('forms'),
      wadlVersion: 'http://wadl.dev.java.net/2009/02',
      name: 'GET and POST forms',
      type: 'rest',
      basePath: '',
    },
    [
      element('settings'),
      element('definitionCache'),
      element('endpoints', {}, [textElement('endpoint', SERVER)]),
      ...contract.operations.map(({ name, parameters }) =>
        element('resource', { name, path: `${contract.path}/${name}`, ...ids('forms', name) }, [
          element('settings'),
          element(
            'parameters',
            {},
            parameters.map((p) =>
              element('parameter', { required: 'true' }, [
                textElement('name', p.name),
                textElement('value', textOf(p, {}, dates)),
                textElement('style', 'QUERY'),
                textElement('default', textOf(p, {}, dates)),
                textElement('description', p.documentation),
              ]),
            ),
          ),
          ...(['GET', 'POST'] as const).map((method) =>
            formMethod(`${contract.path}/${name}`, name, method, parameters, dates),
          ),
        ]),
      ),
    ],
  );
}

const formMethod = (
  path: string,
  name: string,
  method: 'GET' | 'POST',
  parameters: readonly Parameter[],
  dates: ReadonlyMap<string, string>,
): string =>
  element('method', { name: method, ...ids('forms', name, method), method }, [
    element('settings'),
    element('parameters'),
    element(
      'request',
      {
        name: 'Example',
        ...ids('forms', name, method, 'request'),
        mediaType: 'application/x-www-form-urlencoded',
        postQueryString: String(method === 'POST'),
      },
      [
        element('settings'),
        textElement('endpoint', expansion('Project', 'server')),
        element('request'),
        textElement('originalUri', SERVER + path),
        NO_CREDENTIALS,
        element(
          'parameters',
          {},
          parameters.map((p) => element('entry', { key: p.name, value: textOf(p, {}, dates) })),
        ),
        element(
          'parameterOrder',
          {},
          parameters.map((p) => textElement('entry', p.name)),
        ),
      ],
    ),
  ]);

if (import.meta.main) {
  const expected = soapUiProject(readFileSync(WSDL, 'utf8'));
  if (process.argv.includes('--check')) {
    const difference = firstDifference(expected, readFileSync(GENERATED, 'utf8'));
    if (difference !== undefined) {
      console.error(`The SoapUI project is out of date; run npm run generate:soapui. ${difference}`);
      process.exitCode = 1;
    }
  } else {
    writeFileSync(GENERATED, expected);
  }
}
