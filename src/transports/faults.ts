import { type ErrorCode, type SecurityFault, ServiceError } from '../vocabulary/errors.ts';
import { REFUSALS, Refusal } from '../vocabulary/result-codes.ts';
import { CORRELATION_HEADER } from './request-ids.ts';

/** How one error code is answered on the wire. Fault codes: SOAP 1.1, 4.4.1; SOAP 1.2 part 1, 5.4.6. */
export interface FaultAnswer {
  readonly soap11: 'Client' | 'Server' | 'MustUnderstand' | 'VersionMismatch';
  readonly soap12: 'Sender' | 'Receiver' | 'MustUnderstand' | 'VersionMismatch';
  /** HTTP status of the fault in either version. */
  readonly soapStatus: number;
  /** HTTP status on the GET and POST forms, the pages, and wherever else the answer cannot be an envelope. */
  readonly status: number;
}

/**
 * A fault of the caller. SOAP 1.1 requires 500 for every fault (section 6.2). SOAP 1.2 would have 400 for Sender (part 2, 7.5.2.2), but ASMX
 * answers 500, and WCF and CXF read a fault only with that status. Errors that HTTP itself can express (size, media type) keep HTTP's.
 */
const caller = (status: number, soapStatus = 500): FaultAnswer => ({
  soap11: 'Client',
  soap12: 'Sender',
  soapStatus,
  status,
});
const ours = (status: number): FaultAnswer => ({ soap11: 'Server', soap12: 'Receiver', soapStatus: status, status });
const header = (code: 'MustUnderstand' | 'VersionMismatch'): FaultAnswer => ({
  ...caller(400),
  soap11: code,
  soap12: code,
});

/** The only mapping of error codes to SOAP 1.1, SOAP 1.2 and HTTP. */
export const FAULT_ANSWERS: Readonly<Record<ErrorCode, FaultAnswer>> = {
  Malformed: caller(400, 400),
  MissingParameter: caller(400),
  InvalidValue: caller(400),
  UnexpectedElement: caller(400),
  DuplicateParameter: caller(400),
  UnknownOperation: caller(404),
  ActionMismatch: caller(400),
  MustUnderstand: header('MustUnderstand'),
  VersionMismatch: header('VersionMismatch'),
  UnsupportedMediaType: caller(415, 415),
  TooLarge: caller(413, 413),
  IdempotencyKeyReused: caller(422),
  // This status makes .NET and Java send the credentials that they were configured with.
  Unauthorized: caller(401, 401),
  Forbidden: caller(403, 403),
  TooManyRequests: caller(429, 429),
  CrossSite: caller(403, 403),
  MethodNotAllowed: caller(405, 405),
  NotFound: caller(404, 404),
  MisdirectedRequest: caller(421, 421),
  Refused: caller(422),
  Unavailable: ours(503),
  Internal: ours(500),
};

/**
 * The answer to an error in a Security header, used instead of its code's own answer: WS-Security's fault code replaces `Client`, and in
 * SOAP 1.2 it is the Subcode. The status is not 401, because Java and .NET do not read a fault with that status, and it would request Basic
 * authentication.
 */
const SECURITY_FAULT_ANSWER: FaultAnswer = caller(401);

/** How a fault is answered. */
export const faultAnswerOf = ({ code, securityFault }: Pick<Fault, 'code' | 'securityFault'>): FaultAnswer =>
  securityFault === undefined ? FAULT_ANSWERS[code] : SECURITY_FAULT_ANSWER;

const REFUSAL_STATUS: ReadonlyMap<number, number> = new Map(
  Object.values(REFUSALS).map(({ number, status }) => [number, status]),
);

/** HTTP status of a refusal on the GET and POST forms if refusals are answered as faults. */
export const refusalStatus = (resultCode: number): number =>
  REFUSAL_STATUS.get(resultCode) ?? FAULT_ANSWERS.Refused.status;

/** Seconds after which a caller may try again, for the codes that are temporary. */
export const RETRY_AFTER: Partial<Record<ErrorCode, number>> = { Unavailable: 2, TooManyRequests: 5 };

/** An error as it is sent. Source: the contract's ServiceFault. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly resultCode: number | undefined;
  readonly parameter: string | undefined;
  readonly correlationId: string;
  /** Seconds after which the caller may try again, if the error knows this better than its code. */
  readonly retryAfter?: number | undefined;
  /** The fault code of WS-Security, if a Security header is refused. */
  readonly securityFault?: SecurityFault | undefined;
}

/**
 * Turns anything thrown into a fault. Anything other than a Refusal or a ServiceError is an internal error, none of whose text is sent to the
 * caller.
 */
export function faultOf(error: unknown, correlationId: string): Fault {
  if (error instanceof Refusal) {
    const { message, resultCode, parameter } = error;
    return { code: 'Refused', message, resultCode, parameter, correlationId };
  }
  const { code, message, parameter, retryAfter, securityFault } = serviceErrorOf(error);
  return { code, message, resultCode: undefined, parameter, correlationId, retryAfter, securityFault };
}

function serviceErrorOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  // Express's router throws this for a path that it can't decode, before any of our handlers sees the request.
  if (error instanceof URIError && (error as { status?: unknown }).status === 400) {
    return new ServiceError('Malformed', 'The address is not percent-encoded UTF-8.', { cause: error });
  }
  return new ServiceError('Internal', undefined, { cause: error });
}

/** The authentication that is requested from a caller that cannot be identified. Source: RFC 7617. */
const CHALLENGE = 'Basic realm="TPWebServices", charset="UTF-8"';

/** Headers that are sent with a fault on every transport. */
export function faultHeaders(fault: Fault): Record<string, string> {
  const { code, correlationId, securityFault, retryAfter = RETRY_AFTER[code] } = fault;
  return {
    [CORRELATION_HEADER]: correlationId,
    ...(code === 'Unauthorized' && securityFault === undefined ? { 'WWW-Authenticate': CHALLENGE } : {}),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    // The rest of an oversized body is not read, so the connection can't be used again.
    ...(code === 'TooLarge' ? { Connection: 'close' } : {}),
  };
}
