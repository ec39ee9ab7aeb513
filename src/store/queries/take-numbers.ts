import { type Kysely, sql } from 'kysely';
import { ServiceError } from '../../vocabulary/errors.ts';
import type { StoredAppointment } from '../../vocabulary/stored-records.ts';
import { INTEGER_BOUNDS, type Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { changeStatement, rowStatement } from '../statement.ts';

/** `day`: ISO day. */
export type DoctorDay = Pick<StoredAppointment, 'centerId' | 'doctorId'> & { readonly day: string };

/** Without RETURNING, which would make this statement take three times as long: SQLite creates a temporary table for the returned row. */
export const countToken = changeStatement((db, v: DoctorDay) =>
  db
    .insertInto('day_token')
    .values({ center_id: v.centerId, doctor_id: v.doctorId, day: v.day, last_token: 1 })
    .onConflict((c) =>
      c.columns(['center_id', 'doctor_id', 'day']).doUpdateSet({ last_token: sql`day_token.last_token + 1` }),
    ),
);

export const lastTokenOf = (db: Kysely<Schema>, v: DoctorDay) =>
  db
    .selectFrom('day_token')
    .select('last_token as tokenNo')
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId)
    .where('day', '=', v.day);

const lastToken = rowStatement(lastTokenOf);

/**
 * The next token of the doctor's day. The two statements are requested together, so that a database on the network answers both in one round
 * trip. The second reads what the first has written, and no other transaction can change it meanwhile.
 */
export async function takeToken(session: Session, doctorDay: DoctorDay): Promise<number> {
  const [, last] = await Promise.all([countToken(session, doctorDay), lastToken(session, doctorDay)]);
  return assignedNumber(last?.tokenNo, 'TokenNo');
}

/** For the log. */
export const USED_UP = 'all numbers of a table are used up; docs/operators/operating.md says what to do';

/**
 * A number that the database assigned. Throws ServiceError `Unavailable` if it is out of bounds: SQLite continues beyond them, and callers could
 * not read the number.
 */
export function assignedNumber(assigned: number | null | undefined, what: string): number {
  if (assigned === undefined || assigned === null) throw new Error(`${what}: the database gave no number`);
  if (assigned <= INTEGER_BOUNDS.greatest) return assigned;
  throw new ServiceError('Unavailable', undefined, { reason: `${what}: ${USED_UP}` });
}
