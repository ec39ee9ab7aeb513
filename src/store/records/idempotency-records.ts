import { type Session, statement } from '../statement.ts';

export interface KeptAnswer {
  readonly key: string;
  /** Hash of the operation and its parameters. */
  readonly fingerprint: string;
  /** The result record as JSON. */
  readonly answer: string;
  /** Instant, ms. */
  readonly now: number;
}

const answerByKey = statement((db, v: { key: string; since: number }) =>
  db
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'answer'])
    .where('key', '=', v.key)
    .where('used_on', '>', v.since),
);

const insertAnswer = statement((db, v: KeptAnswer) =>
  db.insertInto('idempotency_key').values({ key: v.key, fingerprint: v.fingerprint, answer: v.answer, used_on: v.now }),
);

const deleteAnswers = statement((db, v: { until: number }) =>
  db.deleteFrom('idempotency_key').where('used_on', '<=', v.until),
);

/** What calls with an Idempotency-Key were answered. */
export class IdempotencyRecords {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** The answer that a key got after an instant (ms). */
  async answer(key: string, since: number): Promise<{ fingerprint: string; answer: string } | undefined> {
    return (await answerByKey(this.#session, { key, since }))[0];
  }

  /** Keeps an answer, and forgets those given up to an instant (ms). */
  async keep(answer: KeptAnswer, forgetUntil: number): Promise<void> {
    await deleteAnswers(this.#session, { until: forgetUntil });
    await insertAnswer(this.#session, answer);
  }
}
