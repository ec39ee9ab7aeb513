interface ResultCodeDescription {
  /** Clients compare it, so it is never reused: 0 and 1 are successes, 10 and above are refusals. */
  readonly number: number;
  /** HTTP status on the GET and POST forms. */
  readonly status: number;
  /** One sentence. The ResultText of an answer is more specific. */
  readonly meaning: string;
}

interface RefusalDescription extends ResultCodeDescription {
  /** For the hospital's staff, if the old service accepted such requests: what to do about them. */
  readonly advice: string;
}

/** The request was understood, but a hospital rule forbids it, and nothing was changed. */
export const REFUSALS = {
  InvalidInput: {
    number: 10,
    status: 422,
    meaning: 'A parameter has an invalid value; ResultText names the parameter.',
    advice: 'The old service accepted anything. docs/callers/operations.md says what this parameter must contain.',
  },
  UnknownCenter: {
    number: 11,
    status: 404,
    meaning: 'There is no such center.',
    advice: 'Import the center (tpws import), or have the program send a center that exists.',
  },
  UnknownDoctor: {
    number: 12,
    status: 404,
    meaning: 'There is no such doctor at that center.',
    advice: 'Import the doctor (tpws import), or find out why the program asks for a doctor who has left.',
  },
  DoctorNotAvailable: {
    number: 13,
    status: 409,
    meaning: 'The doctor is on leave or does not work at that time, or no slot starts then.',
    advice:
      "Compare the imported opening hours, leave and SlotMinutes with the doctor's real ones, and times with an offset, such as Z, with what was meant: see the dates.",
  },
  SlotTaken: {
    number: 14,
    status: 409,
    meaning: 'Another appointment holds the slot.',
    advice: 'Import the doctor with the right Capacity, or accept that no two patients are given one slot.',
  },
  PastTime: {
    number: 15,
    status: 422,
    meaning: 'The time is in the past.',
    advice: 'Check whether the clocks and time zones of the caller and the center agree.',
  },
  BeyondHorizon: {
    number: 16,
    status: 422,
    meaning: 'The day is too far ahead.',
    advice: 'Check whether a date more than 365 days ahead is intended.',
  },
  PatientOverlap: {
    number: 17,
    status: 409,
    meaning: 'The patient has another appointment at that time at that center.',
    advice: 'Leave RegistrationNumber empty for patients without a number.',
  },
  AppointmentNotFound: {
    number: 20,
    status: 404,
    meaning: 'There is no such appointment at that center.',
    advice:
      'The trial instance knows only the appointments that were imported, and those booked through the rehearsal. A call for any other appointment gets this answer although the caller is right: import that appointment.',
  },
  MoveNotAllowed: {
    number: 21,
    status: 409,
    meaning: 'The move is not allowed from the status of the appointment, or is not allowed yet.',
    advice: 'Check whether the number of type means that move.',
  },
  UnknownType: {
    number: 22,
    status: 422,
    meaning: 'There is no move of that type.',
    advice: 'Add the number to APPOINTMENT_TYPES; see below.',
  },
  InvalidMobile: {
    number: 30,
    status: 422,
    meaning: 'The number cannot be a mobile number.',
    advice: 'Check PHONE_REGION, and where the program gets its numbers.',
  },
  UnknownTemplate: {
    number: 31,
    status: 404,
    meaning: 'There is no such message template.',
    advice: 'Import the message template (tpws import) under the tempid that the program sends.',
  },
  TemplateMismatch: {
    number: 32,
    status: 422,
    meaning: 'The text does not match its template.',
    advice: 'Have the program send the text of the template, or import the template as the program sends it.',
  },
  UnknownMode: {
    number: 33,
    status: 422,
    meaning: 'There is no such SMSmode.',
    advice: 'Have the program send SMSmode 0.',
  },
  MessageTooLong: {
    number: 34,
    status: 422,
    meaning: 'The text takes too many segments.',
    advice: 'Have the program send a shorter text, or only characters of the GSM alphabet.',
  },
  TooManyMessages: {
    number: 35,
    status: 429,
    meaning: 'Too many messages of the client, or to the number, are waiting or were sent.',
    advice: 'Have the program send fewer messages at once; raise SMS_RATE if the gateway allows it.',
  },
} as const satisfies Readonly<Record<string, RefusalDescription>>;

/**
 * The outcomes of a call. The WSDL says which operation can answer with which; everything else about a ResultCode follows from here.
 */
export const RESULT_CODES = {
  OK: { number: 0, status: 200, meaning: 'Done.' },
  Duplicate: {
    number: 1,
    status: 200,
    meaning: 'The same request was made before; the earlier record is returned.',
  },
  ...REFUSALS,
} as const satisfies Readonly<Record<string, ResultCodeDescription>>;

export type RefusalName = keyof typeof REFUSALS;
export type ResultCodeName = keyof typeof RESULT_CODES;
type ResultCodes = { readonly [Name in ResultCodeName]: (typeof RESULT_CODES)[Name]['number'] };
export type ResultCodeNumber = ResultCodes[ResultCodeName];

/** The number of each code. */
export const ResultCode = Object.fromEntries(
  Object.entries(RESULT_CODES).map(([name, { number }]) => [name, number]),
) as ResultCodes;

const NAMES = new Map<number, ResultCodeName>(
  Object.entries(ResultCode).map(([name, number]) => [number, name as ResultCodeName]),
);

/** Undefined if no code has this number. */
export const resultCodeName = (number: number): ResultCodeName | undefined => NAMES.get(number);

/** True for the codes of refusals: nothing was changed. */
export const isRefusal = (code: number): boolean => code >= 10;

/**
 * A refusal by the hospital's rules. Thrown by rules and operations; the transport answers it with a fault or a result.
 * `text`, behind the offending parameter if there is one, is sent to the caller as ResultText: one sentence.
 */
export class Refusal extends Error {
  readonly resultCode: ResultCodeNumber;
  readonly parameter: string | undefined;

  constructor(name: ResultCodeName, text: string, parameter?: string) {
    super(parameter === undefined ? text : `Parameter ${parameter}: ${text}`);
    this.name = 'Refusal';
    this.resultCode = ResultCode[name];
    this.parameter = parameter;
  }

  /** As a result, without the fields of a success. */
  get record() {
    return { ResultCode: this.resultCode, ResultText: this.message };
  }
}
