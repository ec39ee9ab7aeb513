import type { IncomingMessage } from 'node:http';
import { callerOf } from '../access/client.ts';
import type { AuditRefusal } from '../calls/audit-refusal.ts';
import type { Operation, Transport } from '../contract/contract.ts';
import type { Log } from '../log/log.ts';
import { type ErrorCode, ServiceError } from '../vocabulary/errors.ts';
import type { Fault } from './faults.ts';

export interface FaultReport {
  readonly log: Log;
  readonly countFault: (code: ErrorCode, transport: Transport | 'http', operation: Operation | undefined) => void;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  /** Which refused calls are logged. */
  readonly mayLog: (code: ErrorCode) => boolean;
  /** The address of a request's sender, in the form in which it is recorded. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Audits a refusal of a request that did not become a call. */
  readonly auditRefusal: AuditRefusal;
}

/**
 * Refusals that indicate that a caller tries what it may not do, or calls too often. Refusals at a later stage are recorded by `invoke`.
 */
const AUDITED: ReadonlySet<ErrorCode> = new Set(['Unauthorized', 'TooManyRequests', 'CrossSite', 'MisdirectedRequest']);

/** What is known of a request that is not answered with a result. */
interface FaultyRequest {
  readonly request: IncomingMessage;
  readonly transport: Transport | 'http';
  readonly operation?: Operation | undefined;
  /** When the endpoint got it, in milliseconds of the stopwatch; absent if no endpoint did. */
  readonly began?: number;
}

/** Records why a call was not answered with a result: internal errors with their cause, the caller's errors without their text. */
export function reportFault(
  { log, countFault, addressOf, auditRefusal, mayLog, stopwatch }: FaultReport,
  error: unknown,
  fault: Fault,
  { request, transport, operation, began }: FaultyRequest,
): void {
  const { code, correlationId } = fault;
  countFault(code, transport, operation);
  const client = callerOf(request);
  const address = addressOf(request);
  if (AUDITED.has(code)) {
    void auditRefusal({
      client,
      address,
      operation,
      transport: transport === 'http' ? undefined : transport,
      code,
      correlationId,
    });
  }
  // While the database is unreachable, every call fails, and each line contains an error with its causes.
  if (!mayLog(code)) return;
  const line = {
    ...{ correlationId, transport, code, client: client.name, address, operation: operation?.name },
    // A name that is not in the contract is the caller's text.
    parameter: operation?.parameters.find(({ name }) => name === fault.parameter)?.name,
    reason: error instanceof ServiceError ? error.reason : undefined,
    milliseconds: began === undefined ? undefined : Math.round(stopwatch() - began),
  };
  if (code === 'Internal' || code === 'Unavailable') log.error('call failed', { ...line, error });
  else log.info('call rejected', line);
}
