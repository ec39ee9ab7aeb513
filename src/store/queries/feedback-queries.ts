import { FEEDBACK_FIELDS, type NewFeedback } from '../../vocabulary/stored-records.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import { columnValues } from './record-columns.ts';
import { assignedNumber } from './take-numbers.ts';

const sameFeedback = statement((db, v: Omit<NewFeedback, 'receivedOn'> & { since: number }) =>
  db
    .selectFrom('feedback')
    .select(['id', 'received_on as receivedOn'])
    .where('inpatient_number', '=', v.inpatientNumber)
    .where('client', '=', v.client)
    .where('received_on', '>', v.since)
    .where('room', 'is not distinct from', v.room)
    .where('mobile', 'is not distinct from', v.mobile)
    .where('department', 'is not distinct from', v.department)
    .where('comment', 'is not distinct from', v.comment)
    .orderBy('received_on', 'desc')
    .limit(1),
);

const { id: _, ...NEW_FIELDS } = FEEDBACK_FIELDS;

const insertFeedback = statement((db, v: NewFeedback) =>
  db.insertInto('feedback').values(columnValues(NEW_FIELDS, v)).returning('id'),
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
    return assignedNumber(row?.id, 'FeedbackID');
  }
}
