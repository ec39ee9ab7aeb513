import type { Transport } from '../contract/contract.ts';
import { ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Fault } from './faults.ts';

/** Writes down why a call was not answered with a result: ours with the cause, a caller's without its words. */
export function reportFault(log: Log, error: unknown, fault: Fault, transport: Transport | 'http'): void {
  const { code, correlationId } = fault;
  if (code === 'Internal' || code === 'Unavailable') {
    log.error('call failed', { correlationId, transport, code, error });
    return;
  }
  const reason = error instanceof ServiceError ? error.reason : undefined;
  log.info('call turned away', { correlationId, transport, code, ...(reason === undefined ? {} : { reason }) });
}
