import { sql } from 'kysely';
import { MessageStatus } from '../../vocabulary/messages.ts';
import {
  APPOINTMENT_FIELDS,
  FEEDBACK_FIELDS,
  type StoredAppointment,
  type StoredFeedback,
} from '../../vocabulary/stored-records.ts';
import { INTEGER_BOUNDS } from '../schema.ts';
import type { Session } from '../session.ts';
import { rowStatement, statement, valueStatement } from '../statement.ts';
import type { AppointmentKey } from './appointment-queries.ts';
import { selected } from './record-columns.ts';

/** The position before the first page of appointments. */
export const BEFORE_FIRST: AppointmentKey = { centerId: INTEGER_BOUNDS.least, id: 0 };

/** Rows per page: few enough that reading a page takes a fraction of the time of a call. */
const PAGE = 1000;

/** Where a page of appointments by their last change begins. */
export type AppointmentChange = Pick<StoredAppointment, 'updatedOn' | 'centerId' | 'id'>;

const countOf = (table: 'audit_event' | 'message' | 'idempotency_key') =>
  valueStatement((db, _: object) => db.selectFrom(table).select(sql<number>`count(*)`.as('value')));
const [countAudit, countMessages, countKeys] = [countOf('audit_event'), countOf('message'), countOf('idempotency_key')];
const countWaiting = valueStatement((db, _: object) =>
  db
    .selectFrom('message')
    .select(sql<number>`count(*)`.as('value'))
    .where('status', 'in', [MessageStatus.Queued, MessageStatus.Sending]),
);

const lastChangeIn = (table: 'appointment' | 'feedback') =>
  rowStatement((db, _: object) =>
    db.selectFrom(table).select('updated_on as updatedOn').orderBy('updated_on', 'desc').limit(1),
  );
const lastChange = { appointment: lastChangeIn('appointment'), feedback: lastChangeIn('feedback') } as const;

/** Where a page of feedback by its last change begins. */
export type FeedbackChange = Pick<StoredFeedback, 'updatedOn' | 'id'>;

/** The rows of all pages. `after` returns the page after a row, which is empty at the end. */
export async function* allOf<Key, Row extends Key>(after: (last: Key) => Promise<readonly Row[]>, first: Key) {
  for (let page = await after(first); page.length > 0; page = await after(page.at(-1) as Row)) yield* page;
}

/** What callers have written, for exports, and for imports that must take it into account. */
export const exportQueries = {
  /** At most 1000 appointments after the given one, by center and id; all statuses. */
  appointmentsAfter: statement((db, v: AppointmentKey) =>
    db
      .selectFrom('appointment')
      .select(selected(APPOINTMENT_FIELDS))
      .where((e) => e(e.refTuple('center_id', 'id'), '>', e.tuple(v.centerId, v.id)))
      .orderBy('center_id')
      .orderBy('id')
      .limit(PAGE),
  ),

  /** At most 1000 appointments whose last change comes after this one and not after `until` (instant, ms), by the time of that change. */
  changedAfter: statement((db, v: AppointmentChange & { until: number }) =>
    db
      .selectFrom('appointment')
      .select(selected(APPOINTMENT_FIELDS))
      .where((e) => e(e.refTuple('updated_on', 'center_id', 'id'), '>', e.tuple(v.updatedOn, v.centerId, v.id)))
      .where('updated_on', '<=', v.until)
      .orderBy('updated_on')
      .orderBy('center_id')
      .orderBy('id')
      .limit(PAGE),
  ),

  /** The instant, ms, of the last change to any row of the table; 0 if there is none. */
  lastChange: async (session: Session, table: keyof typeof lastChange) =>
    (await lastChange[table](session, {}))?.updatedOn ?? 0,

  /** At most 1000 rows of feedback with ids above the given one, by id. */
  feedbackAfter: statement((db, v: { id: number }) =>
    db.selectFrom('feedback').select(selected(FEEDBACK_FIELDS)).where('id', '>', v.id).orderBy('id').limit(PAGE),
  ),

  /** At most 1000 rows of feedback whose last change comes after this one and not after `until` (instant, ms), by the time of that change. */
  feedbackChangedAfter: statement((db, v: FeedbackChange & { until: number }) =>
    db
      .selectFrom('feedback')
      .select(selected(FEEDBACK_FIELDS))
      .where((e) => e(e.refTuple('updated_on', 'id'), '>', e.tuple(v.updatedOn, v.id)))
      .where('updated_on', '<=', v.until)
      .orderBy('updated_on')
      .orderBy('id')
      .limit(PAGE),
  ),

  /** How much there is that no export contains. */
  async neverExported(session: Session) {
    const [auditRows, all, waiting] = [
      await countAudit(session, {}),
      await countMessages(session, {}),
      await countWaiting(session, {}),
    ];
    return { auditRows, waiting, messages: all - waiting, keys: await countKeys(session, {}) };
  },

  /** How many appointments a center has, whatever their status. */
  appointmentsOfCenter: valueStatement((db, v: { centerId: number }) =>
    db.selectFrom('appointment').select(sql<number>`count(*)`.as('value')).where('center_id', '=', v.centerId),
  ),
};
