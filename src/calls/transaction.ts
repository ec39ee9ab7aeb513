import { createHash } from 'node:crypto';
import { callerName } from '../access/client.ts';
import type { Operation, ResultRecord } from '../contract/contract.ts';
import type { AuditNote, CallStore, Clock, Meaning } from '../operations/dependencies.ts';
import type { Queries, Store } from '../store/store.ts';
import { idempotencyKey } from '../store/store-keys.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import type { AuditAction } from '../vocabulary/stored-records.ts';
import { type AuditPlan, answerRow } from './audit-rows.ts';
import type { Call } from './call.ts';
import type { SumReads } from './sum-reads.ts';

/** For how long a repeated Idempotency-Key returns the first answer. */
export const IDEMPOTENCY_HOURS = 24;
export const IDEMPOTENCY_WINDOW_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000;

export interface TransactionDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly idempotencyWindowMs: number;
}

/**
 * What a call stores besides its changes: a row in the audit trail and, if it has an Idempotency-Key, its answer. `store` and `note` are for its
 * implementation: `write` stores the changes, the answer and the audit row together or not at all. If the call's Idempotency-Key was answered
 * before, it resolves with that answer, and executes no part of the call. Throws ServiceError IdempotencyKeyReused if the key comes with a
 * different call. `finish` is called before a success is answered, and writes the audit row, of a list by `list`, unless `write` did.
 */
export function createCallTransaction(
  { store, clock, idempotencyWindowMs }: TransactionDependencies,
  plan: AuditPlan,
  call: Call,
) {
  const answers = keptAnswers(call, clock, idempotencyWindowMs);
  let noted: AuditNote = {};
  let isAudited = !plan.audited;

  async function audit({ audit }: Queries, record: ResultRecord, action?: AuditAction): Promise<void> {
    const row = answerRow(plan, call, record, clock(), action);
    await audit.add(row.outcome === 0 ? { ...row, ...noted } : row);
    isAudited = true;
  }

  const callStore: CallStore = {
    read: (work) => store.read(work),
    referenceVersion: () => store.referenceVersion(),
    write: (work, keys, meaning) =>
      store.write(
        async (queries) => {
          // The store may run work again, which then starts over.
          noted = {};
          isAudited = false;
          const kept = await answers?.find(queries, meaning);
          const earlier = kept?.answer;
          const record = (earlier as Awaited<ReturnType<typeof work>> | undefined) ?? (await work(queries));
          if (earlier === undefined) await kept?.keep(record);
          await audit(queries, record, earlier && 'R');
          return record;
        },
        answers === undefined ? keys : keys && [...keys, answers.lock],
      ),
  };
  return {
    store: callStore,
    note: (note: AuditNote) => {
      noted = note;
    },
    finish: async (record: ResultRecord, list: SumReads['list']) => {
      const { shown } = noted;
      // An audit row depends on no other row, so it needs no lock against other writers.
      const add = () => store.write((queries) => audit(queries, record), []);
      if (!isAudited) await (shown === undefined ? add() : list(call, plan.subjectOf(call.input, record), shown, add));
    },
  };
}

/**
 * The answers that are kept for a call's Idempotency-Key, in the transaction of the change, where a second call finds them; undefined without
 * a key. A refusal is not kept: nothing was changed, and the call may succeed next time.
 */
function keptAnswers(call: Call, clock: Clock, windowMs: number) {
  const { operation, idempotencyKey: ownKey } = call;
  if (ownKey === undefined || operation.safe) return undefined;
  const now = clock();
  // Two callers may use the same key, and neither sees the other's answer. A key contains no space.
  const key = `${callerName(call)} ${ownKey}`;
  return {
    lock: idempotencyKey(key),
    /** The earlier answer, if there is one, and how to keep this call's own. */
    find: async (queries: Queries, meaning: Meaning) => {
      const { idempotency } = queries;
      const fingerprint = await fingerprintOf(operation, () => meaning(queries));
      const earlier = await idempotency.answer({ key, since: now - windowMs, now });
      // It is null once the patient's data was erased.
      if (earlier !== undefined && (earlier.fingerprint !== fingerprint || earlier.answer === null)) {
        throw new ServiceError(
          'IdempotencyKeyReused',
          'The Idempotency-Key was already used for a call with different parameters; expected a new key for a new call.',
        );
      }
      return {
        answer: earlier === undefined ? undefined : (JSON.parse(earlier.answer ?? '') as ResultRecord),
        keep: (record: ResultRecord) => idempotency.keep({ key, fingerprint, answer: JSON.stringify(record), now }),
      };
    },
  };
}

/** A hash of the call, however it is written; of its operation alone if it is about to be refused, which no call was that has an answer. */
async function fingerprintOf({ name }: Operation, meaning: () => unknown): Promise<string> {
  let value: unknown = null;
  try {
    value = await meaning();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  return createHash('sha256')
    .update(JSON.stringify([name, value]))
    .digest('base64');
}
