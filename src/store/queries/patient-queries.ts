import { type Selectable, sql } from 'kysely';
import { MessageStatus } from '../../vocabulary/messages.ts';
import { PATIENT_FIELDS, type StoredPatient } from '../../vocabulary/stored-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { changeStatement, rowStatement, rowsOf, statement } from '../statement.ts';
import { type AppointmentKey, updateOf } from './appointment-queries.ts';
import { columnValues, erased } from './record-columns.ts';

/** Whole rows, because people who ask what is stored about them are shown every column. */
export type AppointmentRow = Selectable<Schema['appointment']>;
export type FeedbackRow = Selectable<Schema['feedback']>;
export type MessageRow = Selectable<Schema['message']>;
export type KeptAnswerRow = Selectable<Schema['idempotency_key']>;

const PAGE = 1000;

/** Takes the message away from a process that is sending it: that process's later updates find no row. */
const cancelWaiting = changeStatement((db, v: { id: number; now: number }) =>
  db
    .updateTable('message')
    .set({
      status: MessageStatus.Rejected,
      last_code: 'cancelled',
      finished_on: v.now,
      leased_by: null,
      lease_ends_on: null,
    })
    .where('id', '=', v.id)
    .where('status', 'in', [MessageStatus.Queued, MessageStatus.Sending]),
);

const eraseMessage = changeStatement((db, v: { id: number }) =>
  db.updateTable('message').set(erased('message')).where('id', '=', v.id),
);

/** Columns with an index of their own, which has all their values. */
type Searched = readonly ['appointment', 'name_key' | 'phone' | 'registration_key'] | readonly ['message', 'mobile'];

/** What is stored about one person, and how to erase it. Some searches read whole tables, so they are for commands, not for calls. */
export const patientQueries = {
  /**
   * At most 10,000 different values above the given one, in order, without reading an appointment or message: those that fit every pattern of
   * LIKE in one of the lists, and with `orOther` those with letters beyond ASCII, which no pattern can describe.
   */
  valuesLike: (
    session: Session,
    [table, column]: Searched,
    patterns: readonly (readonly string[])[],
    orOther: boolean,
    above: string,
  ): Promise<{ readonly value: string }[]> => {
    const value = sql.ref<string>(column);
    return rowsOf(
      session,
      session.db
        .selectFrom(table as 'appointment')
        .select(value.as('value'))
        .distinct()
        .where(value, '>', above)
        .where((row) =>
          row.or([
            ...patterns.map((all) => row.and(all.map((pattern) => row(value, 'like', pattern)))),
            ...(orOther ? [sql<boolean>`octet_length(${value}) <> length(${value})`] : []),
          ]),
        )
        .orderBy(value)
        .limit(10 * PAGE),
    );
  },

  appointment: rowStatement((db, v: AppointmentKey) =>
    db.selectFrom('appointment').selectAll().where('center_id', '=', v.centerId).where('id', '=', v.id),
  ),

  feedback: rowStatement((db, v: { id: number }) => db.selectFrom('feedback').selectAll().where('id', '=', v.id)),

  /** Appointments in all centers with one of these registration keys, phones (E.164) or name keys, by center and id. */
  appointmentsWith: (
    session: Session,
    registrationKeys: readonly string[],
    phones: readonly string[],
    nameKeys: readonly string[],
  ): Promise<AppointmentRow[]> =>
    rowsOf(
      session,
      session.db
        .selectFrom('appointment')
        .selectAll()
        .where((row) =>
          row.or([
            ...(registrationKeys.length === 0 ? [] : [row('registration_key', 'in', registrationKeys)]),
            ...(phones.length === 0 ? [] : [row('phone', 'in', phones)]),
            ...(nameKeys.length === 0 ? [] : [row('name_key', 'in', nameKeys)]),
          ]),
        )
        .orderBy('center_id')
        .orderBy('id'),
    ),

  /** At most 1000 rows with ids above the given one, by id. */
  feedbackAfter: statement((db, v: { id: number }) =>
    db.selectFrom('feedback').selectAll().where('id', '>', v.id).orderBy('id').limit(PAGE),
  ),

  /** At most 1000 messages with ids above the given one, by id. */
  messagesAfter: statement((db, v: { id: number }) =>
    db.selectFrom('message').selectAll().where('id', '>', v.id).orderBy('id').limit(PAGE),
  ),

  /** Messages to these phone numbers (E.164), by id. */
  messagesTo: async (session: Session, phones: readonly string[]): Promise<MessageRow[]> =>
    phones.length === 0
      ? []
      : rowsOf(session, session.db.selectFrom('message').selectAll().where('mobile', 'in', phones).orderBy('id')),

  /** At most 1000 answers stored for repeated calls, with keys after the given one, by key. */
  answersAfter: statement((db, v: { key: string }) =>
    db.selectFrom('idempotency_key').selectAll().where('key', '>', v.key).orderBy('key').limit(PAGE),
  ),

  correctAppointment: changeStatement((db, v: AppointmentKey & StoredPatient & { now: number }) =>
    updateOf(db, v).set({ ...columnValues(PATIENT_FIELDS, v), updated_on: v.now }),
  ),

  eraseAppointment: changeStatement((db, v: AppointmentKey & { now: number }) =>
    updateOf(db, v).set({ ...erased('appointment'), updated_on: v.now }),
  ),

  eraseFeedback: changeStatement((db, v: { id: number; now: number }) =>
    db
      .updateTable('feedback')
      .set({ ...erased('feedback'), updated_on: v.now })
      .where('id', '=', v.id),
  ),

  /** Erases number and text, and cancels the message if it is still waiting or being sent. Returns whether it was cancelled. */
  async eraseMessage(session: Session, message: { readonly id: number; readonly now: number }): Promise<boolean> {
    const cancelled = await cancelWaiting(session, message);
    await eraseMessage(session, message);
    return cancelled === 1;
  },

  /** The key remains until it expires, so that a repeated call is refused rather than run a second time. */
  eraseAnswer: changeStatement((db, v: { key: string }) =>
    db.updateTable('idempotency_key').set(erased('idempotency_key')).where('key', '=', v.key),
  ),
};
