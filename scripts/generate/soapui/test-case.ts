import type { Contract, Operation } from '../../../src/contract/contract.ts';
import type { SoapVersion } from '../../../src/transports/soap/soap-versions.ts';
import { MOVES } from '../../../src/vocabulary/appointments.ts';
import { ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { escapeText } from '../../../src/xml/xml-characters.ts';
import { FORMS, formPath, formRequest, soapRequest } from './interfaces.ts';
import { element, expansion, ids, properties, textElement, type Values } from './soapui-element.ts';

/** One call of the test cases. */
interface Step {
  readonly operation: string;
  /** What its name has after the operation. */
  readonly suffix?: string;
  /** By parameter: what replaces the contract's example. */
  readonly values?: Values;
  /** Fields of the result with the value that they must have. */
  readonly fields?: Values;
  /** The Code of the fault that it must get instead of a result. */
  readonly fault?: 'Refused' | 'InvalidValue';
}

const nameOf = ({ operation, suffix = '' }: Step): string => operation + suffix;

const APPOINTMENT_ID = { AppointmentID: expansion('TestCase', 'AppointmentID') };

const CANCEL = MOVES.find(({ name }) => name === 'Cancel');

/**
 * Leaves nothing that would interfere with another run: what it books, it cancels. Its slots are those of no guide. Operations beyond these
 * are called with their examples.
 */
const FIRST_STEPS: readonly Step[] = [
  {
    operation: 'Fetch_Details',
    values: { app_time: `${expansion('Project', 'date')}T19:15:00` },
    fields: { Status: '2' },
  },
  { operation: 'Appointment_Status', values: APPOINTMENT_ID, fields: { ...APPOINTMENT_ID, Status: '2' } },
  { operation: 'OPAppointmentdetail' },
  {
    operation: 'Appointment_Status_Updates',
    values: { ...APPOINTMENT_ID, apptime: `${expansion('Project', 'newDate')}T19:30:00` },
    fields: { ...APPOINTMENT_ID, Status: '2' },
  },
  {
    operation: 'Appointment_Status_Updates',
    suffix: ' Cancel',
    values: { ...APPOINTMENT_ID, type: String(CANCEL?.type) },
    fields: { ...APPOINTMENT_ID, Status: String(CANCEL?.status), Changed: 'true' },
  },
];

/** The operation that reaches a phone, if the service has a gateway: a tester enables its step. */
const TEXTS = 'Sent_SMS';

const stepsFor = ({ operations }: Contract): readonly Step[] => [
  ...FIRST_STEPS,
  ...operations
    .filter(({ name }) => !FIRST_STEPS.some(({ operation }) => operation === name))
    .map(({ name, parameters }) => ({
      operation: name,
      values: Object.fromEntries(parameters.filter((each) => each.leftEmpty).map((each) => [each.name, each.example])),
    })),
];

/** Values that a hospital rule forbids, and change nothing: a center that does not exist or, without one, an empty first text. */
function refusedValues({ name, parameters }: Operation): Values {
  if (parameters.some((each) => each.name === 'centerid')) return { centerid: '0' };
  const first = parameters.find(({ type }) => type === 'string');
  if (first === undefined) throw new Error(`No value of ${name} is known to be refused.`);
  return { [first.name]: '' };
}

/** A value that the contract does not allow: a word for a number or, without one, a text that is too long. */
function wrongValues({ name, parameters }: Operation): Values {
  const number = parameters.find(({ type }) => type === 'int');
  if (number !== undefined) return { [number.name]: 'none' };
  const text = parameters.find(({ maxLength }) => maxLength !== undefined);
  if (text === undefined) throw new Error(`No value of ${name} is known to be wrong.`);
  return { [text.name]: 'x'.repeat((text.maxLength ?? 0) + 1) };
}

const failuresFor = ({ operations }: Contract): readonly Step[] =>
  operations.flatMap((operation) => [
    { operation: operation.name, suffix: ' refused', values: refusedValues(operation), fault: 'Refused' },
    { operation: operation.name, suffix: ' fault', values: wrongValues(operation), fault: 'InvalidValue' },
  ]);

/** Calls every operation over one version of SOAP: as usual, then once so that a rule refuses it and once with a wrong value. */
export const soapTestCase = (contract: Contract, version: SoapVersion): string =>
  testCase(contract, version.title, [...stepsFor(contract), ...failuresFor(contract)], (step, operation, key) => [
    { type: 'request' },
    element('config', { 'xsi:type': 'con:RequestStep' }, [
      textElement('interface', contract.ports[version.name]),
      textElement('operation', operation.name),
      element(
        'request',
        { name: nameOf(step), ...ids(...key, 'request') },
        soapRequest(contract, version, operation, step.values, soapAssertions(contract, key, operation, step)),
      ),
    ]),
  ]);

/** Calls every operation by a form: by GET if it changes nothing, otherwise by POST. */
export const formTestCase = (contract: Contract): string =>
  testCase(contract, FORMS, stepsFor(contract), (step, operation, key) => {
    const verb = operation.safe ? 'GET' : 'POST';
    const assertions = successAssertions(contract, key, `/tp:${operation.resultType.name}`, step);
    const attributes = { name: nameOf(step), ...ids(...key, 'request') };
    const place = { service: FORMS, resourcePath: formPath(contract, operation), methodName: verb };
    return [
      { type: 'restrequest' },
      element('config', { 'xsi:type': 'con:RestRequestStep', ...place }, [
        formRequest('restRequest', attributes, { verb, operation }, step.values, assertions),
      ]),
    ];
  });

/** `configure` gives the type and the configuration of the test step that makes a call. */
function testCase(
  contract: Contract,
  title: string,
  calls: readonly Step[],
  configure: (step: Step, operation: Operation, key: readonly string[]) => readonly [type: Values, config: string],
): string {
  const steps = calls.flatMap((step) => {
    const operation = contract.operations.find(({ name }) => name === step.operation);
    if (operation === undefined) throw new Error(`There is no operation ${step.operation}.`);
    const key = [title, nameOf(step)] as const;
    const [type, config] = configure(step, operation, key);
    const disabled = nameOf(step) === TEXTS ? { disabled: 'true' } : {};
    const request = element('testStep', { ...type, ...ids(...key), name: nameOf(step), ...disabled }, [
      element('settings'),
      config,
    ]);
    return step.operation === 'Fetch_Details' && step.fault === undefined
      ? [request, transferStep(contract, title, step)]
      : [request];
  });
  return element(
    'testCase',
    {
      ...ids(title),
      failOnError: 'true',
      failTestCaseOnErrors: 'true',
      keepSession: 'false',
      maxResults: '0',
      name: title,
      searchProperties: 'true',
    },
    [element('settings'), ...steps, properties({ AppointmentID: '' })],
  );
}

function successAssertions(contract: Contract, key: readonly string[], result: string, step: Step): readonly string[] {
  const successes = [ResultCode.OK, ResultCode.Duplicate].map((code) => `. = ${code}`).join(' or ');
  return [
    assertion('Valid HTTP Status Codes', 'HTTP 200', [...key, 'status'], ['<codes>200</codes>']),
    xpathMatch(contract, key, 'ResultCode', `boolean(${result}/tp:ResultCode[${successes}])`, 'true'),
    ...Object.entries(step.fields ?? {}).map(([field, value]) =>
      xpathMatch(contract, key, field, `string(${result}/tp:${field})`, value),
    ),
  ];
}

const REFUSING_CODE = `boolean(//tp:ServiceFault/tp:ResultCode[. >= ${ResultCode.InvalidInput}])`;

const soapAssertions = (contract: Contract, key: readonly string[], { resultName }: Operation, step: Step) => [
  assertion('SOAP Response', 'SOAP Response', [...key, 'soap']),
  ...(step.fault === undefined
    ? [
        assertion('SOAP Fault Assertion', 'Not SOAP Fault', [...key, 'fault']),
        assertion('Schema Compliance', 'Schema Compliance', [...key, 'schema']),
        ...successAssertions(contract, key, `//tp:${resultName}`, step),
      ]
    : failureAssertions(contract, key, step.fault)),
];

const failureAssertions = (contract: Contract, key: readonly string[], code: string): readonly string[] => [
  // SoapUI's name of the assertion that there is one.
  assertion('Not SOAP Fault Assertion', 'SOAP Fault', [...key, 'fault']),
  xpathMatch(contract, key, 'Code', 'string(//tp:ServiceFault/tp:Code)', code),
  ...(code === 'Refused' ? [xpathMatch(contract, key, 'ResultCode', REFUSING_CODE, 'true')] : []),
];

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
const transferStep = (contract: Contract, title: string, step: Step): string =>
  element('testStep', { type: 'transfer', ...ids(title, 'transfer'), name: 'Keep AppointmentID' }, [
    element('settings'),
    element('config', { 'xsi:type': 'con:PropertyTransfersStep' }, [
      element('transfers', { setNullOnMissingSource: 'true', transferTextContent: 'true', failOnError: 'true' }, [
        textElement('name', 'AppointmentID'),
        textElement('sourceType', 'Response'),
        textElement('sourceStep', nameOf(step)),
        textElement('sourcePath', `${declareNamespace(contract)} //tp:AppointmentID`),
        textElement('targetType', 'AppointmentID'),
        textElement('targetStep', '#TestCase#'),
        element('targetPath'),
        textElement('type', 'XPATH'),
        textElement('upgraded', 'true'),
      ]),
    ]),
  ]);
