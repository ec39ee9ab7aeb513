import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import {
  AUDIT_CALL_FIELDS,
  AUDIT_DETAIL_FIELDS,
  AUDIT_FIELDS,
  type AUDIT_MOVE_FIELDS,
  type AUDIT_SUBJECT_FIELDS,
  type New,
  type Stored,
} from '../../vocabulary/stored-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { changeStatement, rowsOf, statement } from '../statement.ts';
import { removeFact, setFact } from './fact-queries.ts';
import { columnValues, selected } from './record-columns.ts';

/** Some of the values of a row. */
type Given<F> = { readonly [Name in keyof F]?: NonNullable<Stored<F>[Name]> | undefined };

export type AuditSubject = Given<typeof AUDIT_SUBJECT_FIELDS>;

export type AuditMove = Given<typeof AUDIT_MOVE_FIELDS>;

export type AuditEntry = New<typeof AUDIT_CALL_FIELDS> & Given<typeof AUDIT_DETAIL_FIELDS>;

/** A row as it is stored. One without an address stands for many calls. */
export type AuditEvent = Stored<typeof AUDIT_FIELDS>;

/** Which rows to select; an absent field does not filter. */
export type AuditFilter = Pick<
  Given<typeof AUDIT_FIELDS>,
  'appointmentId' | 'centerId' | 'doctorId' | 'day' | 'operation' | 'client' | 'correlationId'
> & {
  /** Instants, ms: `since` inclusive, `until` exclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
};

/** The number of records that one row names at most. */
export const MOST_SHOWN = 1000;

/** A record in `audit_event.shown`: shorter than the names that `tpws patient` uses, because a list contains many appointments. */
export function shownRecord({ centerId, appointmentId, feedbackId, messageId }: AuditSubject): string {
  if (appointmentId !== undefined) return `${centerId}/${appointmentId}`;
  return feedbackId === undefined ? `message:${messageId}` : `feedback:${feedbackId}`;
}

type Condition = (e: ExpressionBuilder<Schema, 'audit_event'>) => Expression<SqlBool>;

/** The rows about a record: each condition has an index. */
function conditionsOf(record: AuditSubject): readonly Condition[] {
  const { centerId = 0, appointmentId, feedbackId, messageId } = record;
  const shows = sql<SqlBool>`shown is not null and ' ' || shown || ' ' like ${`% ${shownRecord(record)} %`}`;
  // Of commands, which show records of several centers.
  const ofCommands: Condition = (e) => e.and([e('center_id', 'is', null), shows]);
  if (appointmentId === undefined) {
    const own: Condition = (e) =>
      feedbackId === undefined ? e('message_id', '=', messageId ?? 0) : e('feedback_id', '=', feedbackId);
    return [own, ofCommands];
  }
  // An appointment keeps its doctor, whatever happens to its time. Once it is deleted, its earlier rows still say who that was.
  const doctors: Condition = (e) =>
    e(
      'doctor_id',
      'in',
      e
        .selectFrom('appointment')
        .select('doctor_id')
        .where('center_id', '=', centerId)
        .where('id', '=', appointmentId)
        .union(
          e
            .selectFrom('audit_event')
            .select(({ fn }) => fn.coalesce('doctor_id', sql<number>`0`).as('doctor_id'))
            .where('center_id', '=', centerId)
            .where('appointment_id', '=', appointmentId),
        ),
    );
  return [
    (e) => e.and([e('appointment_id', '=', appointmentId), e('center_id', '=', centerId)]),
    (e) => e.and([e('center_id', '=', centerId), doctors(e), shows]),
    (e) => e.and([e('center_id', '=', centerId), e('doctor_id', 'is', null), shows]),
    ofCommands,
  ];
}

/** Rows per page: few enough that reading a page takes a fraction of the time of a call. */
const PAGE = 1000;

/** While this fact exists, the database allows rows older than its value to be deleted. Every transaction that sets it also removes it. */
const FORGET_FACT = 'forget-audit';

const ROW_FIELDS = { ...AUDIT_CALL_FIELDS, ...AUDIT_DETAIL_FIELDS };

/** The operations of the rows that name what was deleted at the end of its retention. */
export const DELETIONS = { appointments: 'DeleteAppointments', feedback: 'DeleteFeedback' } as const;

/** The operation of the rows that prove that a person's data was erased. The database keeps them, whatever their age. */
export const ERASURE = 'Erase';

const deleteEvents = changeStatement((db, v: { until: number }) =>
  db
    .deleteFrom('audit_event')
    .where('id', 'in', (e) =>
      e
        .selectFrom('audit_event')
        .select('id')
        .where('recorded_on', '<', v.until)
        .where('operation', 'is distinct from', ERASURE)
        .orderBy('recorded_on')
        .orderBy('id')
        .limit(PAGE),
    ),
);

function filtered({ db }: Session, { since, until, ...wanted }: AuditFilter) {
  let query = db.selectFrom('audit_event').select(selected(AUDIT_FIELDS));
  if (since !== undefined) query = query.where('recorded_on', '>=', since);
  if (until !== undefined) query = query.where('recorded_on', '<', until);
  for (const [name, value] of Object.entries(wanted)) {
    if (value !== undefined) query = query.where(AUDIT_FIELDS[name as keyof typeof wanted].column, '=', value);
  }
  return query;
}

/**
 * The audit trail: who did what, when, to which appointment, and the outcome. Rows are written together with each change and never altered.
 * Source: HL7 FHIR R4 AuditEvent.
 */
export const auditQueries = {
  /** Details that are absent become null. */
  add: changeStatement((db, v: AuditEntry) =>
    db.insertInto('audit_event').values(columnValues(ROW_FIELDS, v as Required<AuditEntry>)),
  ),

  /** At most 1000 rows by id after the given one, whatever time they have, up to the last that was recorded before an instant (ms). */
  settled: statement((db, v: { after: number; before: number }) =>
    db
      .selectFrom('audit_event')
      .select(selected(AUDIT_FIELDS))
      .where('id', '>', v.after)
      .where('id', '<=', (e) =>
        e.selectFrom('audit_event').select('id').where('recorded_on', '<', v.before).orderBy('id', 'desc').limit(1),
      )
      .orderBy('id')
      .limit(PAGE),
  ),

  /**
   * When the latest bookings were refused that a row says were for the seat of an appointment, ms: at most as many as the limit, the last
   * one first. A change of the appointment itself has another action.
   */
  refusedForSeat: statement((db, v: Required<Pick<AuditSubject, 'centerId' | 'appointmentId'>> & { limit: number }) =>
    db
      .selectFrom('audit_event')
      .select('recorded_on as recordedOn')
      .where('appointment_id', '=', v.appointmentId ?? 0)
      .where('center_id', '=', v.centerId ?? 0)
      .where('action', '=', 'C')
      .where('outcome', '=', 4)
      .orderBy('id', 'desc')
      .limit(v.limit),
  ),

  /** At most 1000 rows by time, after the given row or from the first. */
  async page(
    session: Session,
    filter: AuditFilter,
    after?: Pick<AuditEvent, 'id' | 'recordedOn'>,
  ): Promise<readonly AuditEvent[]> {
    let query = filtered(session, filter).orderBy('recorded_on').orderBy('id').limit(PAGE);
    if (after !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('recorded_on', 'id'), '>', tuple(after.recordedOn, after.id)),
      );
    }
    return rowsOf(session, query);
  },

  /**
   * The rows about any of these records and those that showed them, by time. An appointment is found by its center and id, also if it was
   * moved, erased or deleted. Reads as many rows as its doctor has lists, so it is for commands.
   */
  async ofRecords(
    session: Session,
    records: readonly AuditSubject[],
    filter: AuditFilter,
  ): Promise<readonly AuditEvent[]> {
    const found = new Map<number, AuditEvent>();
    for (const condition of records.flatMap(conditionsOf)) {
      for (const event of await rowsOf(session, filtered(session, filter).where(condition))) found.set(event.id, event);
    }
    return [...found.values()].sort((a, b) => Number(a.recordedOn) - Number(b.recordedOn) || a.id - b.id);
  },

  /**
   * Deletes at most 1000 rows recorded before an instant (ms), the oldest first, but no proof of an erasure; returns how many. This is the
   * only way: the database refuses every other deletion. Call it in a transaction of its own, until it returns 0.
   */
  async forget(session: Session, until: number): Promise<number> {
    await setFact(session, { name: FORGET_FACT, value: String(until) });
    const deleted = await deleteEvents(session, { until });
    await removeFact(session, { name: FORGET_FACT });
    return deleted;
  },
};
