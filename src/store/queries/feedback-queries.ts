import { createHash } from 'node:crypto';
import { FEEDBACK_FIELDS, type NewFeedback, type StoredFeedback } from '../../vocabulary/stored-records.ts';
import type { Session } from '../session.ts';
import { rowStatement, statement } from '../statement.ts';
import { shownRecord } from './audit-queries.ts';
import { columnValues } from './record-columns.ts';
import { assignedNumber } from './take-numbers.ts';

/** Whoever compares many rows of an inpatient number field by field is slowed down by whoever sends many. */
const sameFeedback = rowStatement((db, v: { contentHash: string; since: number }) =>
  db
    .selectFrom('feedback')
    .select(['id', 'received_on as receivedOn'])
    .where('content_hash', '=', v.contentHash)
    .where('received_on', '>', v.since)
    .orderBy('received_on', 'desc')
    .limit(1),
);

const { id: _, ...NEW_FIELDS } = FEEDBACK_FIELDS;

const insertFeedback = statement((db, v: NewFeedback & { contentHash: string; updatedOn: number }) =>
  db.insertInto('feedback').values(columnValues(NEW_FIELDS, v)).returning('id'),
);

/** Covers everything that was sent, and the client. */
export function feedbackHash(feedback: Omit<StoredFeedback, 'id' | 'receivedOn' | 'updatedOn'>): string {
  const { client, inpatientNumber, room, mobile, department, comment } = feedback;
  const content = JSON.stringify([client, inpatientNumber, room, mobile, department, comment]);
  return createHash('sha256').update(content).digest('base64');
}

const deleteOld = statement((db, v: { until: number; limit: number }) =>
  db
    .deleteFrom('feedback')
    .where('id', 'in', (row) =>
      row.selectFrom('feedback as old').select('old.id').where('old.received_on', '<', v.until).limit(v.limit),
    )
    .returning('id'),
);

export const feedbackQueries = {
  /** The client's newest feedback since an instant (ms) that is identical in every field. */
  same: (session: Session, feedback: Omit<NewFeedback, 'receivedOn'>, since: number) =>
    sameFeedback(session, { contentHash: feedbackHash(feedback), since }),

  /** Deletes at most `limit` rows of feedback received before an instant (ms); returns which, as `audit_event.shown` names them. */
  forget: async (session: Session, until: number, limit: number): Promise<readonly string[]> =>
    (await deleteOld(session, { until, limit })).map(({ id }) => shownRecord({ feedbackId: id })),

  async insert(session: Session, feedback: NewFeedback): Promise<number> {
    const [row] = await insertFeedback(session, {
      ...feedback,
      contentHash: feedbackHash(feedback),
      updatedOn: feedback.receivedOn,
    });
    return assignedNumber(row?.id, 'FeedbackID');
  },
};
