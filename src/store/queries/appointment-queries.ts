import { type Kysely, sql } from 'kysely';
import {
  AppointmentStatus,
  LAST_HOLDING_STATUS,
  LONGEST_SPAN_MINUTES,
  MINUTES_PER_DAY,
} from '../../vocabulary/appointments.ts';
import {
  APPOINTMENT_FIELDS,
  type PatientDetails,
  type Stored,
  type StoredAppointment,
} from '../../vocabulary/stored-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { changeStatement, rowStatement, statement, valueStatement } from '../statement.ts';
import { shownRecord } from './audit-queries.ts';
import { columnValues, selected } from './record-columns.ts';
import { assignedNumber, countToken, type DoctorDay, lastTokenOf, takeToken } from './take-numbers.ts';

/** What identifies an appointment: two centers may use the same number. */
export type AppointmentKey = Pick<StoredAppointment, 'centerId' | 'id'>;

/** What is known about an appointment before it is stored. Times are wall minutes of the center, `now` is an instant in ms. */
export interface NewAppointment
  extends PatientDetails,
    Pick<
      StoredAppointment,
      'centerId' | 'doctorId' | 'startsAt' | 'endsAt' | 'minutes' | 'seat' | 'overlapping' | 'status'
    > {
  /** Day of the start, as ISO text. */
  readonly day: string;
  readonly now: number;
}

/** A span of time in a center, in wall minutes, half-open. */
interface Span {
  readonly centerId: number;
  readonly from: number;
  readonly to: number;
}

type DoctorSpan = Span & Pick<StoredAppointment, 'doctorId'>;

/** Without the appointment that is being moved, if any. */
type SpanOfOthers = Span & { readonly exceptId?: number | undefined };

/** Greater than any doctor's capacity. */
const BEYOND_ALL_SEATS = 1_000_000_000;

/** Part of the SQL text, because PostgreSQL uses a partial index on some statuses only if it sees them before the values are bound. */
const LAST_HOLDING = sql.lit(LAST_HOLDING_STATUS);
const CANCELLED = sql.lit(AppointmentStatus.Cancelled);

/** Appointments of a doctor's day, at most. No doctor sees more patients; somebody who books in a loop may. */
const MOST_LISTED = 1000;

/** The appointments that occupy a seat at any time within the span. */
const standing = (db: Kysely<Schema>, v: SpanOfOthers) =>
  db
    .selectFrom('appointment')
    .select(selected(APPOINTMENT_FIELDS))
    .where('center_id', '=', v.centerId)
    // No slot is longer. The bound lets the query use its index. Beside a literal, PostgreSQL would take a parameter for an int4.
    .where('start_wall_minute', '>', sql<number>`CAST(${v.from} AS bigint) - ${sql.lit(LONGEST_SPAN_MINUTES)}`)
    .where('start_wall_minute', '<', v.to)
    .where('end_wall_minute', '>', v.from)
    .where('status', '<=', LAST_HOLDING)
    .where('id', 'is distinct from', v.exceptId ?? null);

const listed = (db: Kysely<Schema>, v: DoctorSpan) =>
  db
    .selectFrom('appointment')
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId)
    .where('start_wall_minute', '>=', v.from)
    .where('start_wall_minute', '<', v.to)
    .where('status', '<>', CANCELLED);

const LISTED = [
  ...(['id', 'tokenNo', 'registrationNumber', 'title', 'name', 'sex'] as const),
  ...(['ageText', 'area', 'phone', 'startsAt', 'status'] as const),
];

const listedAppointments = statement((db, v: DoctorSpan) =>
  listed(db, v)
    .select(selected(APPOINTMENT_FIELDS, LISTED))
    .orderBy('start_wall_minute')
    .orderBy('token_no')
    .orderBy('id')
    .limit(MOST_LISTED + 1),
);

const countListed = valueStatement((db, v: DoctorSpan) =>
  listed(db, v).select(({ fn }) => fn.countAll<number>().as('value')),
);

/** Of an appointment in an answer, without its values. */
const BYTES_OF_TAGS = sql.lit(350);

/**
 * The doctor's day since a wall minute whose list is the longest in bytes, and its first start. Goes through the doctors,
 * as `forget` does.
 */
const longestDay = rowStatement((db, v: { since: number }) =>
  db
    .selectFrom('doctor')
    .crossJoin('appointment as a')
    .whereRef('a.center_id', '=', 'doctor.center_id')
    .whereRef('a.doctor_id', '=', 'doctor.id')
    .where('a.start_wall_minute', '>=', v.since)
    .where('a.status', '<>', CANCELLED)
    .select(({ fn }) => [
      'a.center_id as centerId',
      'a.doctor_id as doctorId',
      fn.min('a.start_wall_minute').as('startsAt'),
    ])
    .groupBy(['a.center_id', 'a.doctor_id', sql`a.start_wall_minute / ${sql.lit(MINUTES_PER_DAY)}`])
    .orderBy(
      sql`sum(${BYTES_OF_TAGS} + octet_length(
        concat_ws('', a.name, a.area, a.title, a.age_text, a.registration_number)))`,
      'desc',
    )
    .limit(1),
);

const { id: _, tokenNo: __, ...GIVEN_FIELDS } = APPOINTMENT_FIELDS;

/** With the next id, and the token that was counted last. */
const insertAppointment = statement((db, v: Stored<typeof GIVEN_FIELDS> & DoctorDay, { nextAppointmentId }) =>
  db
    .insertInto('appointment')
    .values({
      ...columnValues(GIVEN_FIELDS, v),
      id: nextAppointmentId,
      token_no: lastTokenOf(db, v).$asScalar().$notNull(),
    })
    .returning(['id', 'token_no as tokenNo']),
);

/** An update of one appointment. */
export const updateOf = (db: Kysely<Schema>, v: AppointmentKey) =>
  db.updateTable('appointment').where('center_id', '=', v.centerId).where('id', '=', v.id);

const updateSeat = changeStatement((db, v: AppointmentKey & { seat: number }) => updateOf(db, v).set({ seat: v.seat }));

type NewTime = Pick<
  StoredAppointment,
  'startsAt' | 'endsAt' | 'minutes' | 'seat' | 'overlapping' | 'tokenNo' | 'status'
>;

/**
 * Deletes at most `limit` appointments that start before a wall minute, whatever their status: nobody closes one that is years old.
 *
 * It goes through the doctors: an index begins with the doctor, so a few old appointments are found without reading all of them. Cancelled ones have
 * their own. For a cross join, SQLite visits the tables in the order in which they are written.
 */
const deleteOver = (isCancelled: '=' | '<>') =>
  statement((db, v: { until: number; limit: number }) =>
    db
      .deleteFrom('appointment')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('center_id', 'id'),
          'in',
          selectFrom('doctor')
            .crossJoin('appointment as old')
            .select(['old.center_id', 'old.id'])
            .whereRef('old.center_id', '=', 'doctor.center_id')
            .whereRef('old.doctor_id', '=', 'doctor.id')
            .where('old.start_wall_minute', '<', v.until)
            .where('old.status', isCancelled, CANCELLED)
            .limit(v.limit)
            .$asTuple('center_id', 'id'),
        ),
      )
      .returning(['center_id as centerId', 'id']),
  );
const DELETE_OVER = [deleteOver('='), deleteOver('<>')];

/** What an appointment shows of itself, without its patient. */
const STATE = ['id', 'centerId', 'doctorId', 'startsAt', 'tokenNo', 'status', 'rescheduleCount', 'updatedOn'] as const;

const appointment = (db: Kysely<Schema>, v: AppointmentKey) =>
  db.selectFrom('appointment').where('center_id', '=', v.centerId).where('id', '=', v.id);

/** Appointments. `insert` and `move` throw StoreConflict if the database's guards refuse the row. */
export const appointmentQueries = {
  byId: rowStatement((db, v: AppointmentKey) => appointment(db, v).select(selected(APPOINTMENT_FIELDS))),

  /** With its doctor's name and its center's zone. */
  stateById: rowStatement((db, v: AppointmentKey) =>
    db
      .selectFrom(() => appointment(db, v).select(selected(APPOINTMENT_FIELDS, STATE)).as('found'))
      .innerJoin('doctor', (join) =>
        join.onRef('doctor.center_id', '=', 'found.centerId').onRef('doctor.id', '=', 'found.doctorId'),
      )
      .innerJoin('center', 'center.id', 'found.centerId')
      .selectAll('found')
      .select(['doctor.name as doctorName', 'center.time_zone as timeZone']),
  ),

  standing: statement((db, v: SpanOfOthers & DoctorSpan) => standing(db, v).where('doctor_id', '=', v.doctorId)),

  /** With any doctor of the center; none for a name that was erased. */
  standingOfName: statement((db, v: SpanOfOthers & Pick<StoredAppointment, 'nameKey'>) =>
    standing(db, v).where('name_key', '=', v.nameKey),
  ),

  /**
   * The appointments of the day that begins at a wall minute, without those that were cancelled, by start, token and id: the first 1000, and
   * how many more there are.
   */
  async ofDay(session: Session, centerId: number, doctorId: number, midnight: number) {
    const span = { centerId, doctorId, from: midnight, to: midnight + MINUTES_PER_DAY };
    const rows = await listedAppointments(session, span);
    if (rows.length <= MOST_LISTED) return { rows, more: 0 };
    return { rows: rows.slice(0, MOST_LISTED), more: (await countListed(session, span)) - MOST_LISTED };
  },

  longestDay,

  takeToken,

  /**
   * Inserts an appointment with the next id and the next token of the doctor's day. The two statements are requested together, as in
   * `takeToken`.
   */
  async insert(session: Session, { now, ...appointment }: NewAppointment) {
    const counters = { rescheduleCount: 0, createdOn: now, updatedOn: now };
    const [, [numbers]] = await Promise.all([
      countToken(session, appointment),
      insertAppointment(session, { ...appointment, ...counters }),
    ]);
    return { id: assignedNumber(numbers?.id, 'AppointmentID'), tokenNo: assignedNumber(numbers?.tokenNo, 'TokenNo') };
  },

  setStatus: changeStatement((db, v: AppointmentKey & { status: number; now: number }) =>
    updateOf(db, v).set({ status: v.status, updated_on: v.now }),
  ),

  setSeat: changeStatement((db, v: AppointmentKey & Pick<StoredAppointment, 'seat' | 'overlapping'>) =>
    updateOf(db, v).set({ seat: v.seat, overlapping: v.overlapping }),
  ),

  /**
   * Gives appointments of a doctor other seats. All first leave theirs, and so does the one that is about to be moved, if any: the database
   * never allows two on one seat, not even for a moment.
   */
  async reseat(
    session: Session,
    centerId: number,
    moved: readonly Pick<StoredAppointment, 'id' | 'seat'>[],
    movingId?: number,
  ): Promise<void> {
    const leaving = [...moved.map(({ id }) => id), ...(movingId === undefined ? [] : [movingId])];
    for (const [index, id] of leaving.entries()) {
      await updateSeat(session, { centerId, id, seat: BEYOND_ALL_SEATS + index });
    }
    for (const { id, seat } of moved) await updateSeat(session, { centerId, id, seat });
  },

  /**
   * Deletes at most `limit` appointments that start before a wall minute; returns which, as `audit_event.shown` names them. Call it in a unit
   * of work without keys, because one may be moved to another time at the same moment.
   */
  async forget(session: Session, until: number, limit: number): Promise<readonly string[]> {
    const deleted: string[] = [];
    for (const deleteSome of DELETE_OVER) {
      const some = await deleteSome(session, { until, limit: limit - deleted.length });
      deleted.push(...some.map(({ centerId, id }) => shownRecord({ centerId, appointmentId: id })));
    }
    return deleted;
  },

  /** Moves the appointment to another time and counts the move. */
  move: changeStatement((db, v: AppointmentKey & NewTime & { now: number }) =>
    updateOf(db, v).set({
      start_wall_minute: v.startsAt,
      end_wall_minute: v.endsAt,
      minutes: v.minutes,
      seat: v.seat,
      token_no: v.tokenNo,
      status: v.status,
      overlapping: v.overlapping,
      reschedule_count: sql`reschedule_count + 1`,
      updated_on: v.now,
    }),
  ),
};
