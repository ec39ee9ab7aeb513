import { type Kysely, sql } from 'kysely';
import { LAST_HOLDING_STATUS } from '../../vocabulary/appointment-status.ts';
import { LONGEST_SLOT_MINUTES } from '../../vocabulary/slot-length.ts';
import type { Schema } from '../schema.ts';
import { type Session, statement } from '../statement.ts';
import type { PatientDetails } from './patient-details.ts';

/** An appointment with its doctor's name and its center's zone. Times are wall minutes of the center, `updatedOn` is an instant in ms. */
export interface Appointment {
  readonly id: number;
  readonly centerId: number;
  readonly doctorId: number;
  readonly doctorName: string;
  readonly startsAt: number;
  readonly seat: number;
  readonly tokenNo: number;
  readonly status: number;
  readonly rescheduleCount: number;
  readonly patientKey: string;
  readonly registrationNumber: string | null;
  readonly updatedOn: number;
  /** IANA name of the center's zone. */
  readonly timeZone: string;
}

/** A row of the doctor's day: what the desk sees of the patient. */
export interface DayAppointment {
  readonly id: number;
  readonly tokenNo: number;
  readonly registrationNumber: string | null;
  readonly title: string | null;
  readonly name: string;
  readonly sex: string;
  readonly ageText: string | null;
  readonly area: string | null;
  readonly phone: string;
  readonly startsAt: number;
  readonly status: number;
}

export interface NewAppointment extends PatientDetails {
  readonly centerId: number;
  readonly doctorId: number;
  readonly day: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly seat: number;
  readonly tokenNo: number;
  readonly status: number;
  readonly now: number;
}

/** A span of one doctor's time, in wall minutes, half-open. */
export interface DoctorSpan {
  readonly centerId: number;
  readonly doctorId: number;
  readonly from: number;
  readonly to: number;
}

/** A seat that an appointment holds. Wall minutes, half-open. */
export interface HeldSeat {
  readonly seat: number;
  readonly from: number;
  readonly to: number;
}

/** In the SQL text: PostgreSQL uses an index of some statuses only where it sees them before it is given the values. */
const LAST_HOLDING = sql.lit(LAST_HOLDING_STATUS);

/**
 * The doctor and the center come as scalar subqueries: better-sqlite3 13 takes 20 µs for a row of a join of these columns, and
 * 2 µs for the same row of one table.
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
      'a.patient_key as patientKey',
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

const appointmentById = statement((db, v: { id: number; centerId: number }) =>
  appointments(db).where('a.id', '=', v.id).where('a.center_id', '=', v.centerId),
);

const standingAppointment = statement(
  (db, v: { centerId: number; doctorId: number; day: number; startsAt: number; patientKey: string }) =>
    appointments(db)
      .where('a.center_id', '=', v.centerId)
      .where('a.doctor_id', '=', v.doctorId)
      .where('a.day', '=', v.day)
      .where('a.starts_at', '=', v.startsAt)
      .where('a.patient_key', '=', v.patientKey)
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

const takeToken = statement((db, v: { centerId: number; doctorId: number; day: number }) =>
  db
    .insertInto('day_token')
    .values({ center_id: v.centerId, doctor_id: v.doctorId, day: v.day, last_token: 1 })
    .onConflict((c) =>
      c.columns(['center_id', 'doctor_id', 'day']).doUpdateSet({ last_token: sql`day_token.last_token + 1` }),
    )
    .returning('last_token as tokenNo'),
);

const insertAppointment = statement((db, v: NewAppointment) =>
  db
    .insertInto('appointment')
    .values({
      center_id: v.centerId,
      doctor_id: v.doctorId,
      day: v.day,
      starts_at: v.startsAt,
      ends_at: v.endsAt,
      seat: v.seat,
      token_no: v.tokenNo,
      status: v.status,
      reschedule_count: 0,
      patient_key: v.patientKey,
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
      created_on: v.now,
      updated_on: v.now,
    })
    .returning('id'),
);

const updateStatus = statement((db, v: { id: number; status: number; now: number }) =>
  db.updateTable('appointment').set({ status: v.status, updated_on: v.now }).where('id', '=', v.id),
);

const moveAppointment = statement(
  (
    db,
    v: {
      id: number;
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
        reschedule_count: sql`reschedule_count + 1`,
        updated_on: v.now,
      })
      .where('id', '=', v.id),
);

/** Appointments. `insert` and `move` throw StoreConflict if the database's guards refuse. */
export class AppointmentRecords {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  async byId(id: number, centerId: number): Promise<Appointment | undefined> {
    return (await appointmentById(this.#session, { id, centerId }))[0];
  }

  /** The appointment that the same patient already holds at exactly this time. */
  async standing(values: {
    readonly centerId: number;
    readonly doctorId: number;
    readonly day: number;
    readonly startsAt: number;
    readonly patientKey: string;
  }): Promise<Appointment | undefined> {
    return (await standingAppointment(this.#session, values))[0];
  }

  /** The seats of a doctor that are held at any time of the span. An appointment that is being moved doesn't hold its own. */
  seatsHeld(span: DoctorSpan, exceptId = 0): Promise<readonly HeldSeat[]> {
    // No slot is longer, so what holds one began no earlier; the bound lets the query use its index.
    return seatsHeld(this.#session, { ...span, earliest: span.from - LONGEST_SLOT_MINUTES, exceptId });
  }

  /** By start, then id; every status. */
  ofDay(centerId: number, doctorId: number, day: number): Promise<readonly DayAppointment[]> {
    return dayOfDoctor(this.#session, { centerId, doctorId, day });
  }

  /** The next number of the doctor's day. */
  async takeToken(centerId: number, doctorId: number, day: number): Promise<number> {
    const [row] = await takeToken(this.#session, { centerId, doctorId, day });
    if (row === undefined) throw new Error('day_token gave no number');
    return row.tokenNo;
  }

  async insert(appointment: NewAppointment): Promise<number> {
    const [row] = await insertAppointment(this.#session, appointment);
    if (row === undefined) throw new Error('the appointment got no id');
    return row.id;
  }

  async setStatus(id: number, status: number, now: number): Promise<void> {
    await updateStatus(this.#session, { id, status, now });
  }

  /** Moves the appointment to another time and counts the move. */
  async move(values: Parameters<typeof moveAppointment>[1]): Promise<void> {
    await moveAppointment(this.#session, values);
  }
}
