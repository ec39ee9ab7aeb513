import { changeStatement, rowStatement } from '../statement.ts';

/** The answers that were sent to calls with an Idempotency-Key. */
export const idempotencyQueries = {
  /** The answer that was sent for a key after an instant (ms). */
  answer: rowStatement((db, v: { key: string; since: number }) =>
    db
      .selectFrom('idempotency_key')
      .select(['fingerprint', 'answer'])
      .where('key', '=', v.key)
      .where('used_on', '>', v.since),
  ),

  /** Stores an answer, which is a result record as JSON, with the hash of its call, in place of one that has expired. Instant in ms. */
  keep: changeStatement((db, v: { key: string; fingerprint: string; answer: string; now: number }) => {
    const answer = { fingerprint: v.fingerprint, answer: v.answer, used_on: v.now };
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
