import type { Contract, Field, Operation, Parameter, RecordType, ScalarType } from '../../../src/contract/contract.ts';

export const NAMESPACE = 'http://tempuri.org/';

export const parameter = (name: string, type: Parameter['type']): Parameter => ({
  name,
  type,
  required: type !== 'string',
  documentation: '',
  example: '',
  patientData: false,
});

export const field = (name: string, type: ScalarType | RecordType, repeated = false): Field => ({
  name,
  type,
  repeated,
  required: false,
  documentation: '',
  patientData: false,
});

export const record = (name: string, fields: readonly Field[]): RecordType => ({ name, fields, documentation: '' });

const operation = (name: string, parameters: readonly Parameter[], resultType: RecordType): Operation => ({
  name,
  parameters,
  resultType,
  documentation: '',
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

export const DOCTOR_LIST = record('DoctorList', [
  field('ResultCode', 'int'),
  field('ResultText', 'string'),
  field('Doctors', record('ArrayOfDoctor', [field('Doctor', doctor, true)])),
]);

export const GET_DOCTOR = operation('GetDoctor', [parameter('centerid', 'int')], DOCTOR_LIST);

export const BOOK = operation(
  'Book',
  [
    parameter('DoctorID', 'int'),
    parameter('app_date', 'dateTime'),
    parameter('Name', 'string'),
    parameter('area', 'string'),
  ],
  record('Booking', [field('ResultCode', 'int')]),
);

/** Two operations that together have every kind of parameter and result field. */
export const SMALL_CONTRACT: Contract = {
  namespace: NAMESPACE,
  serviceName: 'Small',
  path: '/Small.asmx',
  documentation: '',
  ports: { soap11: 'SmallSoap', soap12: 'SmallSoap12', httpGet: 'SmallHttpGet', httpPost: 'SmallHttpPost' },
  operations: [GET_DOCTOR, BOOK],
  types: [DOCTOR_LIST],
  fault: record('ServiceFault', [field('Code', 'string')]),
};
