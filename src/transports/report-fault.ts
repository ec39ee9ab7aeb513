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

/**
 * Records why a call was not answered with a result: internal errors with their cause, the caller's errors without their text. `operation`
 * is undefined if it is unknown.
 */
export function reportFault(
  { log, countFault, addressOf, auditRefusal, mayLog }: FaultReport,
  error: unknown,
  fault: Fault,
  transport: Transport | 'http',
  operation: Operation | undefined,
  request: IncomingMessage,
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
  const who = { correlationId, transport, code, client: client.name, address };
  // While the database is unreachable, every call fails, and each line contains an error with its causes.
  if (!mayLog(code)) return;
  if (code === 'Internal' || code === 'Unavailable') {
    log.error('call failed', { ...who, error });
    return;
  }
  const reason = error instanceof ServiceError ? error.reason : undefined;
  log.info('call rejected', { ...who, ...(reason === undefined ? {} : { reason }) });
}
