/**
 * The outcomes of a call, one number each. 0 and 1 are successes. 10 and above are refusals: the request was understood, but a
 * hospital rule forbids it. Clients compare these numbers, so a number is never reused.
 */
export const ResultCode = {
  OK: 0,
  Duplicate: 1,
  InvalidInput: 10,
  UnknownCenter: 11,
  UnknownDoctor: 12,
  DoctorNotAvailable: 13,
  SlotTaken: 14,
  PastTime: 15,
  BeyondHorizon: 16,
  PatientOverlap: 17,
  AppointmentNotFound: 20,
  MoveNotAllowed: 21,
  UnknownType: 22,
  InvalidMobile: 30,
  UnknownTemplate: 31,
  TemplateMismatch: 32,
  UnknownMode: 33,
  MessageTooLong: 34,
} as const;

export type ResultCodeName = keyof typeof ResultCode;
export type ResultCodeNumber = (typeof ResultCode)[ResultCodeName];

/** The meaning of each code in one sentence. The ResultText of an answer is more specific. */
export const RESULT_CODE_MEANINGS: Readonly<Record<ResultCodeName, string>> = {
  OK: 'Done.',
  Duplicate: 'The same request was made before; the earlier record is returned.',
  InvalidInput: 'A parameter has an invalid value; ResultText names the parameter.',
  UnknownCenter: 'There is no such center.',
  UnknownDoctor: 'There is no such doctor at that center.',
  DoctorNotAvailable: 'The doctor is on leave or does not work at that time, or no slot starts then.',
  SlotTaken: 'Another appointment holds the slot.',
  PastTime: 'The time is in the past.',
  BeyondHorizon: 'The day is too far ahead.',
  PatientOverlap: 'The patient has another appointment at that time at that center.',
  AppointmentNotFound: 'There is no such appointment at that center.',
  MoveNotAllowed: 'The move is not allowed from the status of the appointment, or is not allowed yet.',
  UnknownType: 'There is no move of that type.',
  InvalidMobile: 'The number cannot be a mobile number.',
  UnknownTemplate: 'There is no such message template.',
  TemplateMismatch: 'The text does not match its template.',
  UnknownMode: 'There is no such SMSmode.',
  MessageTooLong: 'The text takes too many segments.',
};

/** True for the codes of refusals: nothing was changed. */
export const isRefusal = (code: number): boolean => code >= 10;

/**
 * A refusal by the hospital's rules. Thrown by rules and operations, and turned by `invoke` into the operation's result record.
 * `text` is sent to the caller as ResultText: one sentence that names the offending parameter, if there is one.
 */
export class Refusal extends Error {
  readonly resultCode: ResultCodeNumber;
  readonly parameter: string | undefined;

  constructor(name: ResultCodeName, text: string, parameter?: string) {
    super(text);
    this.name = 'Refusal';
    this.resultCode = ResultCode[name];
    this.parameter = parameter;
  }
}
