import { type Compilable, type Kysely, sql } from 'kysely';
import { LAST_HOLDING_STATUS } from '../../vocabulary/appointments.ts';
import {
  APPOINTMENT_FIELDS,
  FEEDBACK_FIELDS,
  type StoredAppointment,
  type StoredFeedback,
} from '../../vocabulary/stored-records.ts';
import type { Schema } from '../schema.ts';
import { APPOINTMENTS, type Session } from '../session.ts';
import { changeStatement, rowsOf, statement } from '../statement.ts';
import type { AppointmentKey } from './appointment-queries.ts';
import { feedbackHash } from './feedback-queries.ts';
import { type RecordFields, selected } from './record-columns.ts';
import type { DoctorDay } from './take-numbers.ts';

/** The last token of a doctor's day. */
export type DayToken = DoctorDay & { readonly lastToken: number };

/**
 * Rows per statement, at most: their columns stay within SQLite's limit of 32,766 parameters, and the statement within PostgreSQL's
 * statement timeout. Only few sizes, because every size is a statement of its own that stays prepared, with much memory.
 */
const BATCHES = [500, 50, 5, 1] as const;

/** What an index begins with: none is by the time alone. */
const doctorsOf = (db: Kysely<Schema>, { centerId }: { readonly centerId: number }) =>
  db.selectFrom('doctor').select('doctor.id').where('doctor.center_id', '=', centerId);

const removeAppointment = changeStatement((db, v: AppointmentKey) =>
  db.deleteFrom('appointment').where('center_id', '=', v.centerId).where('id', '=', v.id),
);
const removeFeedback = changeStatement((db, v: { id: number }) => db.deleteFrom('feedback').where('id', '=', v.id));

/** Appointments and feedback as whole rows, with the numbers that they already have: what an import compares, checks and adds. */
export const importQueries = {
  /** The appointments of a center with any of the numbers, whatever their status. */
  appointments(session: Session, centerId: number, ids: readonly number[]): Promise<StoredAppointment[]> {
    const ofCenter = session.db
      .selectFrom('appointment')
      .select(selected(APPOINTMENT_FIELDS))
      .where('center_id', '=', centerId);
    return inBatches(session, ids, (some) => ofCenter.where('id', 'in', some));
  },

  feedback(session: Session, ids: readonly number[]): Promise<StoredFeedback[]> {
    const all = session.db.selectFrom('feedback').select(selected(FEEDBACK_FIELDS));
    return inBatches(session, ids, (some) => all.where('id', 'in', some));
  },

  /** The appointments of a center that occupy their slot and start within a span of wall minutes, half-open. */
  holding: statement((db, v: { centerId: number; from: number; to: number }) =>
    db
      .selectFrom('appointment')
      .select(selected(APPOINTMENT_FIELDS))
      .where('center_id', '=', v.centerId)
      .where('doctor_id', 'in', doctorsOf(db, v))
      .where('start_wall_minute', '>=', v.from)
      .where('start_wall_minute', '<', v.to)
      .where('status', '<=', sql.lit(LAST_HOLDING_STATUS)),
  ),

  /** The last tokens of a center's doctors for a range of days. */
  dayTokens: statement((db, v: { centerId: number; firstDay: string; lastDay: string }) =>
    db
      .selectFrom('day_token')
      .select(['center_id as centerId', 'doctor_id as doctorId', 'day', 'last_token as lastToken'])
      .where('center_id', '=', v.centerId)
      .where('doctor_id', 'in', doctorsOf(db, v))
      .where('day', '>=', v.firstDay)
      .where('day', '<=', v.lastDay),
  ),

  putDayToken: changeStatement((db, v: DayToken) =>
    db
      .insertInto('day_token')
      .values({ center_id: v.centerId, doctor_id: v.doctorId, day: v.day, last_token: v.lastToken })
      .onConflict((c) => c.columns(['center_id', 'doctor_id', 'day']).doUpdateSet({ last_token: v.lastToken })),
  ),

  /** Lets the database plan anew, for as many appointments as there are now. */
  replan: (session: Session): Promise<void> => session.numbers.replan(APPOINTMENTS),

  /** The appointments of a center with any of the numbers. */
  async removeAppointments(session: Session, centerId: number, ids: readonly number[]): Promise<void> {
    for (const id of ids) await removeAppointment(session, { centerId, id });
  },

  async removeFeedback(session: Session, ids: readonly number[]): Promise<void> {
    for (const id of ids) await removeFeedback(session, { id });
  },

  /** In this order: the database lets overlapping ones overlap only existing rows. New numbers continue above theirs. */
  addAppointments: (session: Session, appointments: readonly StoredAppointment[]) =>
    add(session, APPOINTMENTS, APPOINTMENT_FIELDS, '', appointments),

  addFeedback(session: Session, feedback: readonly StoredFeedback[]): Promise<void> {
    const rows = feedback.map((one) => ({
      ...one,
      contentHash: one.inpatientNumber === null ? null : feedbackHash(one),
    }));
    return add(session, 'feedback', FEEDBACK_FIELDS, session.numbers.overriding, rows);
  },
};

/** The rows that the queries for some ids each find. */
async function inBatches<Row>(
  session: Session,
  ids: readonly number[],
  query: (some: readonly number[]) => Compilable<Row>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const some of batches(ids)) found.push(...(await rowsOf(session, query(some))));
  return found;
}

async function add<Row extends { readonly id: number } & Readonly<Record<string, unknown>>>(
  session: Session,
  table: string,
  fields: RecordFields,
  overriding: string,
  rows: readonly Row[],
): Promise<void> {
  let last = 0;
  for (const some of batches(rows)) {
    const values: unknown[] = [];
    for (const row of some) {
      last = Math.max(last, row.id);
      for (const name of Object.keys(fields)) values.push(row[name]);
    }
    await session.change(insertText(session, table, fields, overriding, some.length), values);
  }
  if (last > 0) await session.numbers.goOnAfter(table, last);
}

/** The text is kept, because building the text of a batch takes longer than running it in the database. */
function insertText({ db, compiled }: Session, table: string, fields: RecordFields, overriding: string, rows: number) {
  const key = `${rows} rows of ${table}`;
  const known = compiled.get(key);
  if (known !== undefined) return known.sql;
  const columns = Object.values(fields).map(({ column }) => sql.ref(column));
  const row = sql`(${sql.join(columns.map(() => null))})`;
  const values = sql.join(Array.from({ length: rows }, () => row));
  const query = sql`INSERT INTO ${sql.table(table)} (${sql.join(columns)}) ${sql.raw(overriding)} VALUES ${values}`;
  const { sql: text } = query.compile(db);
  compiled.set(key, { sql: text, parameters: [], positions: [] });
  return text;
}

function* batches<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  let from = 0;
  for (const size of BATCHES) {
    for (; from + size <= rows.length; from += size) yield rows.slice(from, from + size);
  }
}
