import { type Kysely, sql } from 'kysely';
import { LAST_HOLDING_STATUS, LONGEST_SLOT_MINUTES } from '../../vocabulary/appointments.ts';
import type { PatientDetails } from '../../vocabulary/patients.ts';
import type { Schema } from '../schema.ts';
import { rowStatement, type Session, statement } from '../statement.ts';
import type {
  Appointment,
  AppointmentKey,
  AppointmentNumbers,
  AppointmentSummary,
  DayAppointment,
  DoctorSpan,
  HeldSeat,
  NewAppointment,
  StandingAppointment,
} from './appointment.ts';
import { appointmentSummary } from './appointment-summary.ts';
import { deleteOver } from './delete-over.ts';
import type { ReferenceQueries } from './reference-queries.ts';
import { takeNumbers, takeToken } from './take-numbers.ts';

/** Part of the SQL text, because PostgreSQL uses a partial index on some statuses only if it sees them before the values are bound. */
const LAST_HOLDING = sql.lit(LAST_HOLDING_STATUS);

/**
 * The doctor and the center are selected by scalar subqueries: better-sqlite3 13 takes 20 µs for a row of a join of these columns, but 2 µs
 * for the same row of one table.
 */
const appointments = (db: Kysely<Schema>) =>
  db
    .selectFrom('appointment as a')
    .select([
      'a.id',
      'a.center_id as centerId',
      'a.doctor_id as doctorId',
      'a.starts_at as startsAt',
      'a.seat',
      'a.token_no as tokenNo',
      'a.status',
      'a.reschedule_count as rescheduleCount',
      'a.registration_key as registrationKey',
      'a.name_key as nameKey',
      'a.phone',
      'a.registration_number as registrationNumber',
      'a.updated_on as updatedOn',
    ])
    .select((e) => [
      e
        .selectFrom('doctor as d')
        .select('d.name')
        .whereRef('d.center_id', '=', 'a.center_id')
        .whereRef('d.id', '=', 'a.doctor_id')
        .$asScalar()
        .$notNull()
        .as('doctorName'),
      e
        .selectFrom('center as c')
        .select('c.time_zone')
        .whereRef('c.id', '=', 'a.center_id')
        .$asScalar()
        .$notNull()
        .as('timeZone'),
    ]);

const appointmentById = rowStatement((db, v: { id: number; centerId: number }) =>
  appointments(db).where('a.id', '=', v.id).where('a.center_id', '=', v.centerId),
);

const standingAppointments = statement((db, v: DoctorSpan & { earliest: number }) =>
  appointments(db)
    .select([
      'a.ends_at as endsAt',
      'a.title',
      'a.name',
      'a.sex',
      'a.age_text as ageText',
      'a.age_value as ageValue',
      'a.age_unit as ageUnit',
      'a.area',
      'a.email',
    ])
    .where('a.center_id', '=', v.centerId)
    .where('a.doctor_id', '=', v.doctorId)
    .where('a.starts_at', '>', v.earliest)
    .where('a.starts_at', '<', v.to)
    .where('a.ends_at', '>', v.from)
    .where('a.status', '<=', LAST_HOLDING),
);

const seatsHeld = statement((db, v: DoctorSpan & { earliest: number; exceptId: number }) =>
  db
    .selectFrom('appointment')
    .select(['seat', 'starts_at as from', 'ends_at as to'])
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId)
    .where('starts_at', '>', v.earliest)
    .where('starts_at', '<', v.to)
    .where('ends_at', '>', v.from)
    .where('status', '<=', LAST_HOLDING)
    .where('id', '<>', v.exceptId),
);

const dayOfDoctor = statement((db, v: { centerId: number; doctorId: number; day: number }) =>
  db
    .selectFrom('appointment')
    .select([
      'id',
      'token_no as tokenNo',
      'registration_number as registrationNumber',
      'title',
      'name',
      'sex',
      'age_text as ageText',
      'area',
      'phone',
      'starts_at as startsAt',
      'status',
    ])
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId)
    .where('day', '=', v.day)
    .orderBy('starts_at')
    .orderBy('id'),
);

const patientColumns = (v: PatientDetails) => ({
  registration_key: v.registrationKey,
  name_key: v.nameKey,
  registration_number: v.registrationNumber ?? null,
  title: v.title ?? null,
  name: v.name,
  sex: v.sex,
  age_text: v.ageText ?? null,
  age_value: v.ageValue ?? null,
  age_unit: v.ageUnit ?? null,
  area: v.area ?? null,
  phone: v.phone,
  email: v.email ?? null,
});

const insertAppointment = statement((db, v: NewAppointment & AppointmentNumbers) =>
  db.insertInto('appointment').values({
    center_id: v.centerId,
    id: v.id,
    doctor_id: v.doctorId,
    day: v.day,
    starts_at: v.startsAt,
    ends_at: v.endsAt,
    seat: v.seat,
    token_no: v.tokenNo,
    status: v.status,
    reschedule_count: 0,
    ...patientColumns(v),
    created_on: v.now,
    updated_on: v.now,
  }),
);

const updateStatus = statement((db, v: AppointmentKey & { status: number; seat: number; now: number }) =>
  db
    .updateTable('appointment')
    .set({ status: v.status, seat: v.seat, updated_on: v.now })
    .where('center_id', '=', v.centerId)
    .where('id', '=', v.id),
);

const replacePatient = statement((db, v: AppointmentKey & PatientDetails & { now: number }) =>
  db
    .updateTable('appointment')
    .set({ ...patientColumns(v), updated_on: v.now })
    .where('center_id', '=', v.centerId)
    .where('id', '=', v.id),
);

const moveAppointment = statement(
  (
    db,
    v: AppointmentKey & {
      day: number;
      startsAt: number;
      endsAt: number;
      seat: number;
      tokenNo: number;
      status: number;
      now: number;
    },
  ) =>
    db
      .updateTable('appointment')
      .set({
        day: v.day,
        starts_at: v.startsAt,
        ends_at: v.endsAt,
        seat: v.seat,
        token_no: v.tokenNo,
        status: v.status,
        // At its new time, it overlaps nothing.
        marked: 0,
        reschedule_count: sql`reschedule_count + 1`,
        updated_on: v.now,
      })
      .where('center_id', '=', v.centerId)
      .where('id', '=', v.id),
);

/**
 * No slot is longer, so an appointment that occupies a seat within the span began later than this. The bound lets a query use its index.
 */
const earliestStart = ({ from }: DoctorSpan): number => from - LONGEST_SLOT_MINUTES;

/** Appointments. `insert` and `move` throw StoreConflict if the database's guards refuse the row. */
export class AppointmentQueries {
  readonly #session: Session;
  readonly #reference: ReferenceQueries;

  constructor(session: Session, reference: ReferenceQueries) {
    this.#session = session;
    this.#reference = reference;
  }

  byId(id: number, centerId: number): Promise<Appointment | undefined> {
    return appointmentById(this.#session, { id, centerId });
  }

  summary(id: number, centerId: number): Promise<AppointmentSummary | undefined> {
    return appointmentSummary(this.#session, this.#reference, { id, centerId }, () => this.byId(id, centerId));
  }

  /** The appointments that occupy a seat of the doctor at any time within the span. */
  standing(span: DoctorSpan): Promise<readonly StandingAppointment[]> {
    return standingAppointments(this.#session, { ...span, earliest: earliestStart(span) });
  }

  /** The doctor's seats that are occupied at any time within the span. An appointment that is being moved does not count. */
  seatsHeld(span: DoctorSpan, exceptId = 0): Promise<readonly HeldSeat[]> {
    return seatsHeld(this.#session, { ...span, earliest: earliestStart(span), exceptId });
  }

  /** Sorted by start, then id; all statuses. */
  ofDay(centerId: number, doctorId: number, day: number): Promise<readonly DayAppointment[]> {
    return dayOfDoctor(this.#session, { centerId, doctorId, day });
  }

  /** The next token of the doctor's day. */
  takeToken(centerId: number, doctorId: number, day: number): Promise<number> {
    return takeToken(this.#session, { centerId, doctorId, day });
  }

  /**
   * Inserts an appointment with the next id and the next token of the doctor's day. Await it before the next one: on SQLite, two that are
   * requested together would receive the same numbers.
   */
  async insert(appointment: NewAppointment): Promise<AppointmentNumbers> {
    const numbers = await takeNumbers(this.#session, appointment);
    await insertAppointment(this.#session, { ...appointment, ...numbers });
    return numbers;
  }

  async setStatus(
    values: AppointmentKey & { readonly status: number; readonly seat: number; readonly now: number },
  ): Promise<void> {
    await updateStatus(this.#session, values);
  }

  /** Replaces the stored details with others of the same patient. */
  async replacePatient(values: AppointmentKey & PatientDetails & { readonly now: number }): Promise<void> {
    await replacePatient(this.#session, values);
  }

  /**
   * Deletes at most `limit` appointments of days up to `lastDay` that no longer occupy a slot; returns how many. Call it in a unit of work
   * without keys, because a NoShow may be moved to another time at the same moment.
   */
  async forget(lastDay: number, limit: number): Promise<number> {
    return (await deleteOver(this.#session, { lastDay, limit })).length;
  }

  /** Moves the appointment to another time and counts the move. */
  async move(values: Parameters<typeof moveAppointment>[1]): Promise<void> {
    await moveAppointment(this.#session, values);
  }
}
