import type { Operation, Transport } from '../contract/contract.ts';
import type { Budgets } from '../log/budgets.ts';
import type { Log } from '../log/log.ts';
import type { AuditEntry } from '../store/queries/audit-queries.ts';
import type { Store } from '../store/store.ts';
import type { ErrorCode } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';
import type { Call } from './call.ts';

/**
 * A call that was refused before anything was executed. Its client is anonymous if the caller is not identified: what strangers give as their
 * name may be anything, even a password.
 */
interface RefusedCall extends Pick<Call, 'client' | 'address' | 'correlationId'> {
  /** Absent if the call was not read that far. */
  readonly operation?: Operation | undefined;
  readonly transport?: Transport | undefined;
  readonly code: ErrorCode;
}

/** Records that a call was refused. Never rejects, because the answer does not depend on it. */
export type AuditRefusal = (call: RefusedCall) => Promise<void>;

export interface AuditRefusalDependencies extends Pick<Machine, 'clock'> {
  readonly store: Store;
  readonly log: Log;
  readonly budgets: Budgets;
}

/** Rows per minute and code. Strangers must not be able to fill the disk. The log allows more lines. */
const MOST_PER_MINUTE = 120;

export function createAuditRefusal({ store, log, clock, budgets }: AuditRefusalDependencies): AuditRefusal {
  const mayAudit = budgets.perCode<ErrorCode>(MOST_PER_MINUTE, 'refusals not audited');
  return async ({ client, operation, transport, code, ...call }) => {
    const row = {
      recordedOn: clock(),
      operation: operation?.name,
      transport,
      action: 'E',
      outcome: 4,
      errorCode: code,
    } as const;
    if (mayAudit(code)) await tryToAudit(store, log, { ...call, ...row, client: client.name });
  };
}

/** Writes a row in a separate transaction. If that fails, logs it at `error`. Resolves with whether it is written. */
export async function tryToAudit(store: Store, log: Log, entry: AuditEntry): Promise<boolean> {
  try {
    // It depends on no other row, so it needs no lock against other writers.
    await store.write(({ audit }) => audit.add(entry), []);
    return true;
  } catch (error) {
    const { correlationId, operation, transport, errorCode: code, resultCode } = entry;
    const known = Object.entries({ operation, transport, code, resultCode }).filter(([, value]) => value !== undefined);
    log.error('audit row not written', { correlationId, ...Object.fromEntries(known), error });
    return false;
  }
}
