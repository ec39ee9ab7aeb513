import { type Kysely, sql } from 'kysely';
import { numberGiven } from '../integer-bounds.ts';
import type { Schema } from '../schema.ts';
import { rowStatement, type Session, statement } from '../statement.ts';
import type { AppointmentNumbers } from './appointment.ts';

interface DoctorDay {
  readonly centerId: number;
  readonly doctorId: number;
  readonly day: number;
}

/** Returns nothing, because RETURNING would take SQLite three times as long: it creates a temporary table for the returned row. */
const countToken = statement((db, v: DoctorDay) =>
  db
    .insertInto('day_token')
    .values({ center_id: v.centerId, doctor_id: v.doctorId, day: v.day, last_token: 1 })
    .onConflict((c) =>
      c.columns(['center_id', 'doctor_id', 'day']).doUpdateSet({ last_token: sql`day_token.last_token + 1` }),
    ),
);

const lastTokenOf = (db: Kysely<Schema>, v: DoctorDay) =>
  db
    .selectFrom('day_token')
    .select('last_token as tokenNo')
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId)
    .where('day', '=', v.day);

const lastToken = rowStatement(lastTokenOf);

const lastTokenAndNextId = rowStatement((db, v: DoctorDay) =>
  db.selectFrom('next_appointment_id').select(['next_id as id', lastTokenOf(db, v).as('tokenNo')]),
);

/** The next token of the doctor's day. */
export async function takeToken(session: Session, day: DoctorDay): Promise<number> {
  // Requested together, so that a database on the network answers both in one round trip.
  const [, last] = await Promise.all([countToken(session, day), lastToken(session, day)]);
  return numberGiven(last?.tokenNo, 'TokenNo');
}

/** The next token of the doctor's day, and the id of the appointment that is inserted next. */
export async function takeNumbers(session: Session, day: DoctorDay): Promise<AppointmentNumbers> {
  const [, given] = await Promise.all([countToken(session, day), lastTokenAndNextId(session, day)]);
  return { id: numberGiven(given?.id, 'AppointmentID'), tokenNo: numberGiven(given?.tokenNo ?? undefined, 'TokenNo') };
}
