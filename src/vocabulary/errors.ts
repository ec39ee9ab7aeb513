/**
 * Everything that can go wrong with a call, apart from the hospital's rules, regardless of the transport.
 * Only `transports/faults.ts` maps a code to SOAP fault codes and HTTP statuses.
 * Each sentence is the default public text. Most errors have a more specific one that names the parameter and the value.
 */
export const ERROR_CODES = {
  Malformed: 'The request is not well-formed.',
  MissingParameter: 'A parameter is missing.',
  InvalidValue: "A parameter's value does not match its type.",
  UnexpectedElement: 'The message contains an element that the contract does not allow there.',
  DuplicateParameter: 'A parameter is given twice.',
  UnknownOperation: 'There is no such operation.',
  ActionMismatch: 'The SOAP action does not match the operation in the body.',
  MustUnderstand: 'A header that must be understood is not understood.',
  VersionMismatch: 'The envelope is neither SOAP 1.1 nor SOAP 1.2.',
  UnsupportedMediaType: 'The content type is not supported.',
  TooLarge: 'The request is too large.',
  IdempotencyKeyReused: 'The Idempotency-Key was already used for a different call.',
  Unauthorized: 'The service cannot identify the caller.',
  Forbidden: 'The client may not do this.',
  TooManyRequests: 'Too many requests. Try again later.',
  CrossSite: 'A page of another site may not call this operation.',
  MethodNotAllowed: 'The method is not allowed here.',
  NotFound: 'There is nothing at this address.',
  MisdirectedRequest: 'This server does not answer for that host name.',
  Refused: 'A hospital rule forbids the request.',
  Unavailable: 'The service is busy or its database cannot be reached. Try again in a few seconds.',
  Internal: 'The service failed. Give the correlation id to its operator.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorDetails {
  /** Name of the offending parameter, as spelled in the contract. */
  readonly parameter?: string;
  /** For the log: the limit or construct for `Malformed` and `TooLarge`, or what was wrong with the token for `Unauthorized`. */
  readonly reason?: string;
  /** Qualified names of headers that were not understood (SOAP 1.2 NotUnderstood). */
  readonly notUnderstood?: readonly QualifiedName[];
  /** For `Unauthorized` because of a Security header: the fault code of WS-Security. */
  readonly securityFault?: SecurityFault;
  /** Seconds after which the caller may try again, if known. */
  readonly retryAfter?: number;
  /** The actual cause. For the log; never sent to the caller. */
  readonly cause?: unknown;
}

/** A configuration mistake, explained to the operator, which prevents the start. Contains no secret. */
export class SetUpError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SetUpError';
  }
}

export interface QualifiedName {
  readonly namespace: string;
  readonly localName: string;
}

/** What a SOAP fault says about a Security header. Source: Web Services Security: SOAP Message Security 1.1, 12. */
export type SecurityFault =
  | 'UnsupportedSecurityToken'
  | 'UnsupportedAlgorithm'
  | 'InvalidSecurity'
  | 'InvalidSecurityToken'
  | 'FailedAuthentication'
  | 'MessageExpired';

/** An error whose `message` is public: one sentence for the caller, without internal details. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly parameter: string | undefined;
  readonly reason: string | undefined;
  readonly notUnderstood: readonly QualifiedName[];
  readonly securityFault: SecurityFault | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string = ERROR_CODES[code], details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.parameter = details.parameter;
    this.reason = details.reason;
    this.notUnderstood = details.notUnderstood ?? [];
    this.securityFault = details.securityFault;
    this.retryAfter = details.retryAfter;
  }
}

/** Whether a failure says only that the database is busy or away, so that the same work may succeed later. */
export const isUnavailable = (error: unknown): boolean => error instanceof ServiceError && error.code === 'Unavailable';
