import type { Contract, Operation, Parameter } from '../../contract/contract.ts';
import { readParameterValue } from '../../contract/parameter-values.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { ResultCode, type ResultCodeName } from '../../vocabulary/result-codes.ts';
import { FAULT_ANSWERS, type Fault, faultOf, faultOfRefusal, type RefusalStyle, refusalStatus } from '../faults.ts';
import { compileRecordWriter, compileResponseWriter } from '../record-writer.ts';
import { createFaultWriter, writeEnvelope } from '../soap/soap-fault.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from '../soap/soap-versions.ts';
import { textMessage, xmlDocument, xmlMessage } from './sample-message.ts';

/** A call that fails, and its answer on each transport. */
export interface SampleProblem {
  /** What was sent: `centerid` is `99`. */
  readonly parameter: string;
  readonly value: string;
  readonly answers: readonly { readonly title: string; readonly message: string }[];
}

interface RefusedValue {
  readonly parameter: string;
  readonly value: string;
  readonly code: ResultCodeName;
  readonly text: string;
}

/** Values that a rule refuses whatever else is sent. The first one whose parameter the operation has is its sample. */
const REFUSED_VALUES: readonly RefusedValue[] = [
  {
    parameter: 'AppointmentID',
    value: '999999',
    code: 'AppointmentNotFound',
    text: 'Parameter AppointmentID: center 1 has no appointment 999999.',
  },
  { parameter: 'centerid', value: '99', code: 'UnknownCenter', text: 'Parameter centerid: there is no center 99.' },
  {
    parameter: 'Mobileno',
    value: '12',
    code: 'InvalidMobile',
    text: 'Parameter Mobileno: "12" is not a mobile number; expected one such as 9845012345 or +919845012345.',
  },
  { parameter: 'ipno', value: '', code: 'InvalidInput', text: 'Parameter ipno: the inpatient number is required.' },
];

const CORRELATION_ID = 'b0a7c9d2-5e1f-4c3a-9f60-7d1e2a3b4c5d';

/** A refusal by the hospital's rules, in the deployment's style; undefined if no sample fits the operation. */
export function sampleRefusal(
  contract: Contract,
  operation: Operation,
  style: RefusalStyle,
): SampleProblem | undefined {
  const refused = REFUSED_VALUES.find((known) => operation.parameters.some(({ name }) => name === known.parameter));
  if (refused === undefined) return undefined;
  const { parameter, value, code, text } = refused;
  const record = { ResultCode: ResultCode[code], ResultText: text };
  const { namespace } = contract;
  const { resultType } = operation;
  const asResult = style === 'result';
  const fault = faultOfRefusal({ record, refused: true, parameter }, CORRELATION_ID);
  const answerIn = asResult
    ? (version: SoapVersion) =>
        xmlMessage(
          200,
          version.contentType,
          writeEnvelope(version, '', compileResponseWriter(operation, namespace)(record)),
        )
    : faultIn(contract, fault);
  const body = xmlDocument(compileRecordWriter(resultType, resultType.name, namespace)(record));
  const form = xmlMessage(asResult ? 200 : refusalStatus(record.ResultCode), 'text/xml; charset=utf-8', body);
  return { parameter, value, answers: answersOf(answerIn, form) };
}

/** A value of the wrong type, as the contract's own reader refuses it. */
export function sampleFault(contract: Contract, operation: Operation): SampleProblem | undefined {
  const parameter = operation.parameters.find(({ type }) => type !== 'string') ?? operation.parameters[0];
  if (parameter === undefined) return undefined;
  const value = wrongValue(parameter);
  const fault = faultOf(errorOf(parameter, value), CORRELATION_ID);
  const form = textMessage(FAULT_ANSWERS[fault.code].status, fault.message);
  return { parameter: parameter.name, value, answers: answersOf(faultIn(contract, fault), form) };
}

/** Text that is neither an int nor a dateTime; for a string, one letter longer than allowed. */
const wrongValue = ({ type, maxLength = 0 }: Parameter): string =>
  type === 'string' ? 'x'.repeat(maxLength + 1) : 'abc';

function errorOf(parameter: Parameter, value: string): unknown {
  try {
    readParameterValue(parameter, value, 'xsd');
  } catch (error) {
    return error;
  }
  return new ServiceError('InvalidValue');
}

const faultIn =
  ({ fault: type, namespace }: Contract, fault: Fault) =>
  (version: SoapVersion): string => {
    const { status, header, body } = createFaultWriter(type, namespace)(version, fault);
    return xmlMessage(status, version.contentType, writeEnvelope(version, header, body));
  };

const answersOf = (answerIn: (version: SoapVersion) => string, form: string): SampleProblem['answers'] => [
  { title: SOAP_11.title, message: answerIn(SOAP_11) },
  { title: SOAP_12.title, message: answerIn(SOAP_12) },
  { title: 'HTTP GET and HTTP POST', message: form },
];
