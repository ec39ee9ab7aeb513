import { numberGiven } from '../integer-bounds.ts';
import { type Session, statement } from '../statement.ts';

export interface NewFeedback {
  /** Who sent it, as named in the clients file. */
  readonly client: string;
  readonly ipno: string;
  readonly roomno: string | undefined;
  readonly mobile: string | undefined;
  readonly dept: string | undefined;
  readonly comment: string | undefined;
  readonly now: number;
}

const sameFeedback = statement((db, v: Omit<NewFeedback, 'now'> & { since: number }) =>
  db
    .selectFrom('feedback')
    .select(['id', 'received_on as receivedOn'])
    .where('ipno', '=', v.ipno)
    .where('client', '=', v.client)
    .where('received_on', '>', v.since)
    .where('roomno', 'is not distinct from', v.roomno ?? null)
    .where('mobile', 'is not distinct from', v.mobile ?? null)
    .where('dept', 'is not distinct from', v.dept ?? null)
    .where('comment', 'is not distinct from', v.comment ?? null)
    .orderBy('received_on', 'desc')
    .limit(1),
);

const insertFeedback = statement((db, v: NewFeedback) =>
  db
    .insertInto('feedback')
    .values({
      ipno: v.ipno,
      roomno: v.roomno ?? null,
      mobile: v.mobile ?? null,
      dept: v.dept ?? null,
      comment: v.comment ?? null,
      received_on: v.now,
      client: v.client,
    })
    .returning('id'),
);

const deleteOld = statement((db, v: { until: number; limit: number }) =>
  db
    .deleteFrom('feedback')
    .where('id', 'in', (row) =>
      row.selectFrom('feedback as old').select('old.id').where('old.received_on', '<', v.until).limit(v.limit),
    )
    .returning('id'),
);

/** Feedback of inpatients. */
export class FeedbackQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** The client's newest feedback since an instant (ms) that is identical in every field. */
  async same(values: Parameters<typeof sameFeedback>[1]) {
    return (await sameFeedback(this.#session, values))[0];
  }

  /** Deletes at most `limit` rows of feedback received before an instant (ms); returns how many. */
  async forget(until: number, limit: number): Promise<number> {
    return (await deleteOld(this.#session, { until, limit })).length;
  }

  async insert(feedback: NewFeedback): Promise<number> {
    const [row] = await insertFeedback(this.#session, feedback);
    return numberGiven(row?.id, 'FeedbackID');
  }
}
