import type { Contract } from '../../../src/contract/contract.ts';
import type { SoapVersion } from '../../../src/transports/soap/soap-versions.ts';
import { MOVES } from '../../../src/vocabulary/appointments.ts';
import { ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { escapeText } from '../../../src/xml/xml-characters.ts';
import { soapRequest } from './interfaces.ts';
import { element, expansion, ids, properties, textElement, type Values } from './soapui-element.ts';

/** One call of the test cases. */
interface Step {
  readonly name: string;
  readonly operation: string;
  /** By parameter: what replaces the contract's example. */
  readonly values?: Values;
  /** Fields of the result with the value that they must have. */
  readonly fields?: Values;
}

const APPOINTMENT_ID = { AppointmentID: expansion('TestCase', 'AppointmentID') };

const CANCEL = MOVES.find(({ name }) => name === 'Cancel');

/** Leaves nothing that would interfere with another run: what it books, it cancels. Operations beyond these are called with their examples. */
const FIRST_STEPS: readonly Step[] = [
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
];

const stepsFor = ({ operations }: Contract): readonly Step[] => [
  ...FIRST_STEPS,
  ...operations
    .filter(({ name }) => !FIRST_STEPS.some(({ operation }) => operation === name))
    .map(({ name }) => ({ name, operation: name })),
];

/** Calls every operation over one version of SOAP. */
export function testCase(contract: Contract, version: SoapVersion): string {
  const key = version.title;
  const steps = stepsFor(contract).flatMap((step) => {
    const request = requestStep(contract, version, step);
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

function requestStep(contract: Contract, version: SoapVersion, step: Step): string {
  const operation = contract.operations.find(({ name }) => name === step.operation);
  if (operation === undefined) throw new Error(`There is no operation ${step.operation}.`);
  const key = [version.title, step.name] as const;
  const result = `//tp:${operation.resultName}`;
  const successes = [ResultCode.OK, ResultCode.Duplicate].map((code) => `. = ${code}`).join(' or ');
  const assertions = [
    assertion('SOAP Response', 'SOAP Response', [...key, 'soap']),
    assertion('SOAP Fault Assertion', 'Not SOAP Fault', [...key, 'fault']),
    assertion('Valid HTTP Status Codes', 'HTTP 200', [...key, 'status'], ['<codes>200</codes>']),
    assertion('Schema Compliance', 'Schema Compliance', [...key, 'schema']),
    xpathMatch(contract, key, 'ResultCode', `boolean(${result}/tp:ResultCode[${successes}])`, 'true'),
    ...Object.entries(step.fields ?? {}).map(([field, value]) =>
      xpathMatch(contract, key, field, `string(${result}/tp:${field})`, value),
    ),
  ];
  return element('testStep', { type: 'request', ...ids(...key), name: step.name }, [
    element('settings'),
    element('config', { 'xsi:type': 'con:RequestStep' }, [
      textElement('interface', contract.ports[version.name]),
      textElement('operation', operation.name),
      element(
        'request',
        { name: step.name, ...ids(...key, 'request') },
        soapRequest(contract, version, operation, step.values, assertions),
      ),
    ]),
  ]);
}

const declareNamespace = ({ namespace }: Contract): string => `declare namespace tp='${namespace}';`;

/** SoapUI's schema requires a configuration in every assertion. It reads the children of one without a namespace. */
const assertion = (type: string, name: string, key: readonly string[], configuration: readonly string[] = []): string =>
  element('assertion', { type, ...ids(...key), name }, [element('configuration', {}, configuration)]);

// The spelling of the fourth is SoapUI's own.
const xpathMatch = (contract: Contract, key: readonly string[], name: string, path: string, content: string): string =>
  assertion(
    'XPath Match',
    name,
    [...key, 'xpath', name],
    [
      `<path>${escapeText(`${declareNamespace(contract)} ${path}`)}</path>`,
      `<content>${escapeText(content)}</content>`,
      '<allowWildcards>false</allowWildcards>',
      '<ignoreNamspaceDifferences>false</ignoreNamspaceDifferences>',
      '<ignoreComments>false</ignoreComments>',
    ],
  );

/** Passes the id of the appointment to the steps after it. */
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
        element('targetPath'),
        textElement('type', 'XPATH'),
        textElement('upgraded', 'true'),
      ]),
    ]),
  ]);
