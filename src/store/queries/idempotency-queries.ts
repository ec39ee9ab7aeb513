import { changeStatement, rowStatement } from '../statement.ts';

interface KeptAnswer {
  readonly key: string;
  /** Hash of the operation and its parameters. */
  readonly fingerprint: string;
  /** The result record as JSON. */
  readonly answer: string;
  /** Instant, ms. */
  readonly now: number;
}

/** The answers that were sent to calls with an Idempotency-Key. */
export const idempotencyQueries = {
  /** The answer that was sent for a key after an instant (ms). */
  answer: rowStatement((db, v: { key: string; since: number; now: number }, { stored }) =>
    db
      .selectFrom('idempotency_key')
      .select(['fingerprint', 'answer'])
      .where('key', '=', v.key)
      .where('used_on', '>', stored(v.since, v.now)),
  ),

  /** Stores an answer, replacing one that has expired but still exists. */
  keep: changeStatement((db, v: KeptAnswer, { stored }) => {
    const answer = { fingerprint: v.fingerprint, answer: v.answer, used_on: stored(v.now, v.now) };
    return db
      .insertInto('idempotency_key')
      .values({ key: v.key, ...answer })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(answer));
  }),

  /** Deletes at most `limit` answers stored up to an instant (ms), the oldest first; returns how many. */
  forget: changeStatement((db, v: { until: number; limit: number }) =>
    db
      .deleteFrom('idempotency_key')
      .where('key', 'in', (old) =>
        old
          .selectFrom('idempotency_key')
          .select('key')
          .where('used_on', '<=', v.until)
          .orderBy('used_on')
          .limit(v.limit),
      )
      .where('used_on', '<=', v.until),
  ),
};
