import type { ResultCodeName } from '../vocabulary/result-codes.ts';
import type { Transport } from '../vocabulary/transport.ts';

/**
 * The service's contract as plain data. It is read from the WSDL once at start (`read-contract.ts`) and is the only list of
 * operations, parameters and types in the running service.
 */

/** The XSD types that parameters use. Source: XML Schema Part 2. */
export type ParameterType = 'int' | 'string' | 'dateTime';
/** The XSD types that result fields use. */
export type ScalarType = ParameterType | 'boolean';

export interface Contract {
  /** Target namespace of the deployment. */
  readonly namespace: string;
  /** `wsdl:service` name; also the name that the `soap` library looks the implementation up by. */
  readonly serviceName: string;
  /** Path of the endpoint, such as `/TPWebServices.asmx`. */
  readonly path: string;
  readonly documentation: string;
  readonly ports: Readonly<Record<Transport, string>>;
  /** In the WSDL's order. */
  readonly operations: readonly Operation[];
  /** Named record types (results, their members, the fault detail), in the WSDL's order. */
  readonly types: readonly RecordType[];
  /** Type of the element that every fault carries in its detail. */
  readonly fault: RecordType;
}

export interface Operation {
  readonly name: string;
  readonly documentation: string;
  readonly soapAction: string;
  /** Whether it changes nothing. Source: RFC 9110, 9.2.1. */
  readonly safe: boolean;
  /** The codes that it can return, in ascending order; the first is OK. */
  readonly resultCodes: readonly ResultCodeName[];
  readonly parameters: readonly Parameter[];
  /** Local name of the response wrapper: `<Op>Response`. */
  readonly responseName: string;
  /** Local name of the one optional child of the response wrapper: `<Op>Result`. */
  readonly resultName: string;
  /** The result record; its name is the root element of the GET and POST forms' answers. */
  readonly resultType: RecordType;
}

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  /** No call can do without it: minOccurs is 1, and it is not marked as one that may be absent. */
  readonly required: boolean;
  /** Greatest length in Unicode code points; strings only. */
  readonly maxLength?: number;
  /** A value for samples, as XSD text: with the demo data, the examples of an operation make a call that works. */
  readonly example: string;
  /** It tells who a patient is, how to reach them, or what was said to or by them. */
  readonly patientData: boolean;
  readonly documentation: string;
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
  /** maxOccurs is more than 1: the value is an array. */
  readonly repeated: boolean;
  /** A scalar's type name, or the record. */
  readonly type: ScalarType | RecordType;
  /** A value for samples, as XSD text. A scalar without one has that of the operation's parameter of its name. */
  readonly example?: string;
  /** As of a parameter; of a record, whether one of its fields does. */
  readonly patientData: boolean;
}

/** Text as a date and time without or with an offset, as far as it was given. Source: XSD dateTime; the forms allow halves. */
export interface DateTimeValue {
  /** Absent if the text gave a time only. */
  readonly date: DatePart | undefined;
  /** Absent if the text gave a date only. */
  readonly time: TimePart | undefined;
  /** Minutes east of UTC, -840 to 840; absent for wall time. */
  readonly offset: number | undefined;
}

export interface DatePart {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31, a day that the month has. */
  readonly day: number;
}

export interface TimePart {
  /** 0 to 23. */
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Digits after the decimal point without trailing zeros; empty for a whole second. */
  readonly fraction: string;
}

/** A parameter's value after reading: int → number, string → string, dateTime → DateTimeValue; absent → undefined. */
export type ParameterValue = number | string | DateTimeValue | undefined;
/** What an operation is called with: one entry a parameter, by the contract's name. Has no prototype. */
export type OperationInput = Readonly<Record<string, ParameterValue>>;

/** What an operation answers with: field values by name; undefined fields are left out. dateTime is text in wall time. */
export type ResultValue = number | string | boolean | undefined | ResultRecord | readonly ResultValue[];
export interface ResultRecord {
  readonly [field: string]: ResultValue;
}
