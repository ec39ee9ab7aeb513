import type { ResultRecord } from '../contract/contract.ts';
import type { AuditNote, CallStore, Clock } from '../operations/dependencies.ts';
import type { AuditEntry } from '../store/queries/audit-queries.ts';
import { type ErrorCode, ServiceError } from '../vocabulary/errors.ts';
import { type AuditPlan, actionOf, outcomeOf } from './audit-plan.ts';
import type { Call } from './call.ts';
import { EarlierAnswer } from './idempotent-store.ts';

/** Audits a call: its row is written in the transaction of its change, or otherwise in a separate one. */
export interface CallAudit {
  /** Adds the call's row to the transaction of each `write`, so that neither is stored without the other. */
  readonly store: CallStore;
  /** As in CallContext. */
  note(note: AuditNote): void;
  /**
   * Called before a success is answered: writes the row unless a transaction of the call has already done so. Throws what the store throws.
   */
  finish(record: ResultRecord): Promise<void>;
  /** The row of a call that was refused. */
  refusal(record: ResultRecord): AuditEntry;
  /** The row of a call that was answered with a fault. */
  fault(error: unknown): AuditEntry;
}

/** An audit row depends on no other row, so it needs no lock against other writers. */
const NO_KEYS: readonly string[] = [];

export interface CallAuditDependencies {
  readonly store: CallStore;
  readonly clock: Clock;
  readonly plan: AuditPlan;
  readonly call: Call;
}

export function createCallAudit({ store, clock, plan, call }: CallAuditDependencies): CallAudit {
  const { operation, input, client, address, transport, correlationId } = call;
  let noted: AuditNote = {};
  let isWritten = false;

  const entry = (
    record: ResultRecord | undefined,
    { action, outcome, ...codes }: Pick<AuditEntry, 'action' | 'outcome' | 'resultCode' | 'errorCode'>,
  ): AuditEntry => ({
    now: clock(),
    operation: operation.name,
    action,
    outcome,
    client: client.name,
    address,
    transport,
    correlationId,
    ...codes,
    ...plan.subjectOf(input, record),
    ...(outcome === 0 ? noted : {}),
  });

  const answer = (record: ResultRecord, action = actionOf(plan, record)): AuditEntry =>
    entry(record, { action, outcome: outcomeOf(record), resultCode: Number(record.ResultCode) });

  return {
    store: {
      read: (work) => store.read(work),
      referenceVersion: () => store.referenceVersion(),
      write: async (work, keys) => {
        const done = await store.write(async (queries) => {
          // The store may run work again, which then starts over.
          noted = {};
          isWritten = false;
          const result = await work(queries).then(
            (value) => ({ value, earlier: undefined }),
            (error: unknown) => {
              if (error instanceof EarlierAnswer) return { value: undefined, earlier: error };
              throw error;
            },
          );
          const { value, earlier } = result;
          await queries.audit.add(earlier === undefined ? answer(value as ResultRecord) : answer(earlier.record, 'R'));
          isWritten = true;
          return result;
        }, keys);
        if (done.earlier !== undefined) throw done.earlier;
        return done.value as Awaited<ReturnType<typeof work>>;
      },
    },
    note: (note) => {
      noted = note;
    },
    finish: async (record) => {
      if (!isWritten) await store.write(({ audit }) => audit.add(answer(record)), NO_KEYS);
    },
    refusal: (record) => answer(record, plan.action),
    fault: (error) => {
      const errorCode: ErrorCode = error instanceof ServiceError ? error.code : 'Internal';
      return entry(undefined, { action: plan.action, outcome: errorCode === 'Internal' ? 8 : 4, errorCode });
    },
  };
}
