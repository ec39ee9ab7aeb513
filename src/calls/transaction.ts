import { createHash } from 'node:crypto';
import { callerName } from '../access/client.ts';
import type { DateHalf, ParameterValue, ResultRecord } from '../contract/contract.ts';
import type { Queries, Store } from '../store/store.ts';
import { idempotencyKey } from '../store/store-keys.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import type { AuditAction } from '../vocabulary/stored-records.ts';
import { withLineFeeds } from '../vocabulary/text.ts';
import { type AuditPlan, answerRow, failureRow } from './audit-rows.ts';
import type { AuditRefusalDependencies, Call } from './call.ts';
import type { AuditNote, CallContext } from './dependencies.ts';
import type { SumReads } from './sum-reads.ts';

/** For how long a repeated Idempotency-Key returns the first answer. */
export const IDEMPOTENCY_HOURS = 24;
export const IDEMPOTENCY_WINDOW_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000;

/** What a call stores besides its changes: a row in the audit trail and, if it has an Idempotency-Key, its answer. */
export class CallTransaction implements CallContext {
  readonly store: Store;
  readonly client: string;
  readonly correlationId: string;
  readonly mayOverbook: boolean;
  readonly seesPhones: boolean;
  readonly #clock: () => number;
  readonly #plan: AuditPlan;
  readonly #call: Call;
  #noted: AuditNote = {};
  #isAudited: boolean;

  constructor({ store, clock }: Pick<AuditRefusalDependencies, 'store' | 'clock'>, plan: AuditPlan, call: Call) {
    this.store = store;
    this.client = callerName(call);
    this.correlationId = call.correlationId;
    this.mayOverbook = call.client.overbook === true;
    this.seesPhones = call.client.fields === 'full';
    this.#clock = clock;
    this.#plan = plan;
    this.#call = call;
    this.#isAudited = !plan.audited;
  }

  /** The last note of the work that ran last. */
  get noted(): AuditNote {
    return this.#noted;
  }

  note(note: AuditNote): void {
    this.#noted = note;
  }

  /**
   * Stores the changes, the answer and the audit row together or not at all. If the call's Idempotency-Key was answered before, resolves with
   * that answer, and executes no part of the call. Throws ServiceError IdempotencyKeyReused if the key comes with a different call. The row of a
   * refusal that names a record is stored likewise, because a rule counts such rows: calls that come at the same time count one another.
   */
  async write<R extends ResultRecord>(
    work: (queries: Queries) => Promise<R>,
    keys: readonly string[] | undefined,
  ): Promise<R> {
    const { operation, idempotencyKey: ownKey } = this.#call;
    // Two callers may use the same key, and neither sees the other's answer. A key contains no space. It may contain anything of a patient.
    const key = ownKey === undefined || operation.safe ? undefined : hashOf(`${this.client} ${ownKey}`);
    const locks = key === undefined ? keys : keys && [...keys, idempotencyKey(key)];
    const outcome = await this.store.write(async (queries) => {
      // The store may run work again, which then starts over.
      this.#noted = {};
      this.#isAudited = false;
      try {
        return await this.#execute(queries, work, key);
      } catch (error) {
        if (!(error instanceof Refusal) || this.#noted.appointmentId === undefined) throw error;
        await queries.audit.add({ ...failureRow(this.#plan, this.#call, error, this.#clock()), ...this.#noted });
        return error;
      }
    }, locks);
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }

  async #execute<R extends ResultRecord>(queries: Queries, work: (queries: Queries) => Promise<R>, key?: string) {
    if (key === undefined) return this.#audit(queries, await work(queries));
    const fingerprint = fingerprintOf(this.#call);
    const now = this.#clock();
    const earlier = await queries.idempotency.answer({ key, since: now - IDEMPOTENCY_WINDOW_MS });
    if (earlier !== undefined) return this.#audit(queries, answerKept(earlier, fingerprint) as R, 'R');
    const record = await work(queries);
    // A refusal is not kept: nothing was changed, and the call may succeed next time.
    await queries.idempotency.keep({ key, fingerprint, answer: JSON.stringify(record), now });
    return this.#audit(queries, record);
  }

  /** Writes the audit row of a success, of a list of patients by `sums`, unless `write` did; undefined if nothing is left to do. */
  finish(record: ResultRecord, sums: SumReads): Promise<unknown> | undefined {
    if (this.#isAudited) return undefined;
    const { shown } = this.#noted;
    // An audit row depends on no other row, so it needs no lock against other writers.
    const add = () => this.store.write((queries) => this.#audit(queries, record), []);
    return shown === undefined
      ? add()
      : sums.list(this.#call, this.#plan.subjectOf(this.#call.input, record), shown, add);
  }

  async #audit<R extends ResultRecord>({ audit }: Queries, record: R, action?: AuditAction): Promise<R> {
    const row = answerRow(this.#plan, this.#call, record, this.#clock(), action);
    await audit.add({ ...row, ...this.#noted });
    this.#isAudited = true;
    return record;
  }
}

/** The answer that was kept for a key, if it belongs to this call. */
function answerKept(kept: Readonly<Record<'fingerprint' | 'answer', string | null>>, fingerprint: string) {
  // It is null once the patient's data was erased.
  if (kept.fingerprint === fingerprint && kept.answer !== null) return JSON.parse(kept.answer) as ResultRecord;
  const used = 'The Idempotency-Key was already used for a call with different parameters';
  throw new ServiceError('IdempotencyKeyReused', `${used}; expected a new key for a new call.`);
}

/**
 * A hash of what the caller sent, which no setting and no rule can change: the operation and the values that were read, so that neither the
 * transport nor the spelling of a date makes a difference.
 */
function fingerprintOf({ operation, input }: Call): string {
  const sent = operation.parameters.map(({ name, half }) => [name, comparedValue(input[name], half)]);
  return hashOf(JSON.stringify([operation.name, sent.filter(([, value]) => value !== undefined)]));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A value without what says nothing: white space around a text, and the half of a wall time that does not count. */
function comparedValue(value: ParameterValue, half: DateHalf | undefined): unknown {
  if (typeof value === 'string') return withLineFeeds(value).trim() || undefined;
  if (typeof value !== 'object' || value.offset !== undefined || half === undefined) return value;
  const { date, time } = value;
  // 24:00 is of the next day, and a time of .NET's unset DateTime is none.
  return half === 'date' ? [date, time?.hour === 24] : [time?.hour, time?.minute, date?.year === 1];
}
