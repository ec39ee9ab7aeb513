import type { Contract, Field, Operation, Parameter, RecordType, ScalarType } from '../../../src/contract/contract.ts';

export const NAMESPACE = 'http://tempuri.org/';

const EXAMPLES = { int: '1', string: 'Asha', dateTime: '2027-01-18T00:00:00' } as const;

const parameter = (name: string, type: Parameter['type']): Parameter => ({
  name,
  type,
  required: type !== 'string',
  mustHaveValue: type !== 'string',
  mayBeOmitted: false,
  leftEmpty: false,
  ...(type === 'string' ? { maxLength: 100 } : {}),
  documentation: `The ${name}.`,
  example: EXAMPLES[type],
  patientData: false,
});

const field = (name: string, type: ScalarType | RecordType, repeated = false): Field => ({
  name,
  type,
  repeated,
  required: name === 'ResultCode',
  documentation: `The ${name}.`,
  patientData: false,
});

export const record = (name: string, fields: readonly Field[]): RecordType => ({
  name,
  fields,
  documentation: `A ${name}.`,
});

const operation = (name: string, parameters: readonly Parameter[], resultType: RecordType): Operation => ({
  name,
  parameters,
  resultType,
  documentation: `Calls ${name}.`,
  soapAction: NAMESPACE + name,
  safe: false,
  resultCodes: ['OK'],
  responseName: `${name}Response`,
  resultName: `${name}Result`,
});

const doctor = record('Doctor', [
  field('DoctorID', 'int'),
  field('DoctorName', 'string'),
  field('Active', 'boolean'),
  field('Since', 'dateTime'),
]);

const doctors = record('ArrayOfDoctor', [field('Doctor', doctor, true)]);

export const DOCTOR_LIST = record('DoctorList', [
  field('ResultCode', 'int'),
  field('ResultText', 'string'),
  field('Doctors', doctors),
]);

export const GET_DOCTOR = operation('GetDoctor', [parameter('centerid', 'int')], DOCTOR_LIST);

export const BOOK = operation(
  'Book',
  [
    parameter('DoctorID', 'int'),
    parameter('app_date', 'dateTime'),
    parameter('Name', 'string'),
    { ...parameter('area', 'string'), mayBeOmitted: true },
  ],
  record('Booking', [field('ResultCode', 'int')]),
);

/** An operation without parameters. */
export const PING: Operation = {
  ...operation('Ping', [], record('Pong', [field('ResultCode', 'int'), field('ResultText', 'string')])),
  safe: true,
};

const fault = record('ServiceFault', [
  field('Code', 'string'),
  { ...field('ResultCode', 'int'), required: false },
  field('Message', 'string'),
  field('Parameter', 'string'),
  field('CorrelationId', 'string'),
]);

/** Three operations that together have every kind of parameter and result field, and none. */
export const SMALL_CONTRACT: Contract = {
  namespace: NAMESPACE,
  serviceName: 'Small',
  path: '/Small.asmx',
  documentation: 'A small service.',
  ports: { soap11: 'SmallSoap', soap12: 'SmallSoap12', httpGet: 'SmallHttpGet', httpPost: 'SmallHttpPost' },
  operations: [GET_DOCTOR, BOOK, PING],
  types: [doctor, doctors, DOCTOR_LIST, BOOK.resultType, PING.resultType, fault],
  fault,
};
