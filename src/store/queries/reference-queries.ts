import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { rowStatement, statement, valueStatement } from '../statement.ts';
import { selected } from './record-columns.ts';
import { type Center, type Doctor, type DoctorLeave, type OpeningHours, REFERENCE_TABLES } from './reference-rows.ts';

const centerById = rowStatement((db, v: { id: number }) =>
  db.selectFrom('center').select(selected(REFERENCE_TABLES.center.fields)).where('id', '=', v.id),
);

const doctors = (db: Kysely<Schema>, v: { centerId: number }) =>
  db.selectFrom('doctor').select(selected(REFERENCE_TABLES.doctor.fields)).where('center_id', '=', v.centerId);

const doctorById = rowStatement((db, v: { centerId: number; id: number }) => doctors(db, v).where('id', '=', v.id));

/** The first that can be booked; undefined if there is none. */
const firstDoctor = rowStatement((db, _: object) =>
  db
    .selectFrom('doctor')
    .select(['center_id as centerid', 'id as doctorid'])
    .where('active', '=', 1)
    .orderBy('center_id')
    .orderBy('id')
    .limit(1),
);

const openingHours = (db: Kysely<Schema>, v: { centerId: number }) =>
  db
    .selectFrom('opening_hours')
    .select(selected(REFERENCE_TABLES.opening_hours.fields))
    .where('center_id', '=', v.centerId)
    .orderBy('doctor_id')
    .orderBy('weekday')
    .orderBy('from_minute_of_day');

const openingHoursOfDoctor = statement((db, v: { centerId: number; doctorId: number }) =>
  openingHours(db, v).where('doctor_id', '=', v.doctorId),
);

const leavesOfDoctor = statement((db, v: { centerId: number; doctorId: number }) =>
  db
    .selectFrom('doctor_leave')
    .select(selected(REFERENCE_TABLES.doctor_leave.fields))
    .where('center_id', '=', v.centerId)
    .where((leave) => leave.or([leave('doctor_id', '=', v.doctorId), leave('doctor_id', 'is', null)])),
);

/** One row if any of these tables contains a row. */
const anything = rowStatement((db, _: object) => {
  const one = sql<number>`1`.as('found');
  return db
    .selectFrom('center')
    .select(one)
    .unionAll(db.selectFrom('doctor').select(one))
    .unionAll(db.selectFrom('appointment').select(one))
    .unionAll(db.selectFrom('feedback').select(one))
    .unionAll(db.selectFrom('message').select(one))
    .limit(1);
});

export const referenceVersion = (db: Kysely<Schema>) => db.selectFrom('reference_version').select('version as value');
const version = valueStatement((db, _: object) => referenceVersion(db));

/** The cached value with this key or, if there is none, what `read` finds, which is then cached unless it is undefined. */
async function cachedOr<V>(
  { referenceCache }: Session,
  key: string,
  read: () => Promise<V | undefined>,
): Promise<V | undefined> {
  const data = referenceCache?.data();
  const cached = data instanceof Promise ? await data : data;
  const known = cached?.values.get(key) as V | undefined;
  if (known !== undefined) return known;
  const found = await read();
  if (found !== undefined) cached?.values.set(key, found);
  return found;
}

/** Centers, doctors and their hours: the hospital loads them, and the operations only read them. */
export const referenceQueries = {
  center: (session: Session, id: number): Promise<Center | undefined> =>
    cachedOr(session, `center ${id}`, () => centerById(session, { id })),

  /** Also returns a doctor who can no longer be booked. */
  doctor: (session: Session, centerId: number, id: number): Promise<Doctor | undefined> =>
    cachedOr(session, `doctor ${centerId} ${id}`, () => doctorById(session, { centerId, id })),

  /** Active doctors by name, then id. */
  doctors: statement((db, v: { centerId: number }) =>
    doctors(db, v).where('active', '=', 1).orderBy('name').orderBy('id'),
  ),

  firstDoctor,

  async openingHours(session: Session, centerId: number, doctorId: number): Promise<readonly OpeningHours[]> {
    const read = () => openingHoursOfDoctor(session, { centerId, doctorId });
    return (await cachedOr(session, `hours ${centerId} ${doctorId}`, read)) ?? [];
  },

  openingHoursOfCenter: statement(openingHours),

  /** Leaves of the doctor, and of the whole center, that end after a wall minute. */
  async leaves(session: Session, centerId: number, doctorId: number, after: number): Promise<readonly DoctorLeave[]> {
    const read = () => leavesOfDoctor(session, { centerId, doctorId });
    const leaves = await cachedOr(session, `leaves ${centerId} ${doctorId}`, read);
    return leaves?.filter(({ to }) => to > after) ?? [];
  },

  /** Increases with every change to the data in these tables. */
  version: (session: Session) => version(session, {}),

  /** True if there is no center, doctor, appointment, feedback or message. */
  isEmpty: async (session: Session) => (await anything(session, {})) === undefined,
};
