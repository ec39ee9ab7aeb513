import type { ResultCodeName } from '../vocabulary/result-codes.ts';
import type { DatePart } from '../vocabulary/wall-minute.ts';

/**
 * The service's contract as plain data. It is read from the WSDL once at start (`read-contract.ts`), and is the only list of operations,
 * parameters and types in the running service.
 */

/** The transports of a call, each a port of the WSDL, with their titles for people, in the order of the WSDL's ports. */
export const TRANSPORT_TITLES = {
  soap11: 'SOAP 1.1',
  soap12: 'SOAP 1.2',
  httpGet: 'HTTP GET',
  httpPost: 'HTTP POST',
} as const;

export type Transport = keyof typeof TRANSPORT_TITLES;

export const TRANSPORTS = Object.keys(TRANSPORT_TITLES) as readonly Transport[];

/** The XSD types that parameters use. Source: XML Schema Part 2. */
export const PARAMETER_TYPES = ['int', 'string', 'dateTime'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];
export const SCALAR_TYPES = [...PARAMETER_TYPES, 'boolean'] as const;
export type ScalarType = (typeof SCALAR_TYPES)[number];

export interface Contract {
  /** Target namespace of the deployment. */
  readonly namespace: string;
  /** `wsdl:service` name, by which the `soap` library also looks up the implementation. */
  readonly serviceName: string;
  /** Path of the endpoint, such as `/TPWebServices.asmx`. */
  readonly path: string;
  readonly documentation: string;
  readonly ports: Readonly<Record<Transport, string>>;
  /** In the WSDL's order. */
  readonly operations: readonly Operation[];
  /** Named record types (results, their members, the fault detail), in the WSDL's order. */
  readonly types: readonly RecordType[];
  /** Type of the element in the detail of every fault. */
  readonly fault: RecordType;
}

export interface Operation {
  readonly name: string;
  readonly documentation: string;
  readonly soapAction: string;
  /** True if the operation changes nothing. Source: RFC 9110, 9.2.1. */
  readonly safe: boolean;
  /** The codes that it can return, in ascending order; the first is OK. */
  readonly resultCodes: readonly ResultCodeName[];
  readonly parameters: readonly Parameter[];
  /** Local name of the response wrapper: `<Op>Response`. */
  readonly responseName: string;
  /** Local name of the one optional child of the response wrapper: `<Op>Result`. */
  readonly resultName: string;
  /** The result record. Its name is the root element of the answers of the GET and POST forms. */
  readonly resultType: RecordType;
}

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  /** Every call must contain a value: minOccurs is 1, and it is not marked as one that may be absent. */
  readonly required: boolean;
  /** What it means that a call over SOAP leaves out a required int; undefined if it may not. The forms require it, as on ASMX. */
  readonly whenLeftOut?: 0;
  /** A call without a value is refused: by the schema, or by a rule. */
  readonly mustHaveValue: boolean;
  /** A form may leave it out altogether. Of all others, a form contains at least the name, as on ASMX. */
  readonly mayBeOmitted: boolean;
  /** It names the record that the call changes, so no form is filled in with its example. */
  readonly leftEmpty: boolean;
  /** The half of a dateTime that counts; undefined if both do. */
  readonly half?: DateHalf;
  /** Maximum length in Unicode code points; strings only. */
  readonly maxLength?: number;
  /** A value for samples, as XSD text. With the demo data, the examples of an operation make a call that works. */
  readonly example: string;
  /** True if it reveals who a patient is, how to reach them, or what was said to or by them. */
  readonly patientData: boolean;
  readonly documentation: string;
}

/** The numbers that a documentation lists with their names, such as `1 Pending, 2 Booked`; none if it lists fewer than two. */
export function namedNumbers(documentation: string): readonly (readonly [number, string])[] {
  const listed = documentation.replace(/ \([^()]*\)/g, '').matchAll(/(?:^|: |, )(-?\d+) ([a-z][^,.:]*)(?=[,.])/gi);
  const found = Array.from(listed, ([, number, name = '']) => [Number(number), name] as const);
  return found.length < 2 ? [] : found;
}

export interface RecordType {
  readonly name: string;
  readonly documentation: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly documentation: string;
  readonly required: boolean;
  /** True if maxOccurs is greater than 1: the value is an array. */
  readonly repeated: boolean;
  /** A scalar's type name, or the record. */
  readonly type: ScalarType | RecordType;
  /** A value for samples, as XSD text. A scalar without one has the example of the operation's parameter with the same name. */
  readonly example?: string;
  /** As for a parameter; for a record, whether this applies to one of its fields. */
  readonly patientData: boolean;
}

/** A date and time, with or without an offset; either may be absent. Source: XSD dateTime; the forms accept them separately. */
export interface DateTimeValue {
  /** Absent if the text contained only a time. */
  readonly date: DatePart | undefined;
  /** Absent if the text contained only a date. */
  readonly time: TimePart | undefined;
  /** Minutes east of UTC, -840 to 840; absent for wall time. */
  readonly offset: number | undefined;
}

export type DateHalf = 'date' | 'time';

export interface TimePart {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Digits after the decimal point without trailing zeros; empty for a whole second. */
  readonly fraction: string;
}

/** A parameter's value after reading: int → number, string → string, dateTime → DateTimeValue; absent → undefined. */
export type ParameterValue = number | string | DateTimeValue | undefined;
/** The input of an operation: one entry per parameter, by its name in the contract. Inherits nothing. */
export type OperationInput = Readonly<Record<string, ParameterValue>>;

/** The result of an operation: field values by name; undefined fields are omitted. dateTime is text in wall time. */
export type ResultValue = number | string | boolean | undefined | ResultRecord | readonly ResultValue[];
export interface ResultRecord {
  readonly [field: string]: ResultValue;
}

/** The soapAction of an operation: namespace, slash, name. If the namespace ends in a slash, no second one is added, as in ASMX. */
export const operationUri = (namespace: string, operation: string): string =>
  namespace.endsWith('/') ? `${namespace}${operation}` : `${namespace}/${operation}`;
