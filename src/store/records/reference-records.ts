import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { rowStatement, type Session, statement } from '../statement.ts';
import { KeptReference, keptOr } from './kept-reference.ts';
import { markByName, removeMark, setMark } from './set-mark.ts';

/** A site of a hospital. Source: HL7 FHIR Location. */
export interface Center {
  readonly id: number;
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
}

export interface NewDoctor {
  readonly id: number;
  readonly centerId: number;
  readonly name: string;
  readonly department: string | null;
  readonly specialization: string | null;
  readonly qualification: string | null;
  /** Bounds: `vocabulary/slot-length.ts`. */
  readonly slotMinutes: number;
  /** Patients per slot, 1 or more. */
  readonly capacity: number;
}

export interface Doctor extends NewDoctor {
  /** 1 while the doctor can be booked and is listed. */
  readonly active: number;
}

/** A time range of a doctor's week; minutes of the day, `weekday` 1 Monday to 7 Sunday, ISO days inclusive. */
export interface OpeningHours {
  readonly doctorId: number;
  readonly weekday: number;
  readonly from: number;
  readonly to: number;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/** Half-open, in wall minutes of the center. */
export interface DoctorLeave {
  readonly from: number;
  readonly to: number;
}

export const DOCTOR_COLUMNS = [
  'id',
  'center_id as centerId',
  'name',
  'department',
  'specialization',
  'qualification',
  'slot_minutes as slotMinutes',
  'capacity',
  'active',
] as const;

const OPENING_HOURS = [
  'doctor_id as doctorId',
  'weekday',
  'from_minute as from',
  'to_minute as to',
  'valid_from as validFrom',
  'valid_to as validTo',
] as const;

const centerById = rowStatement((db, v: { id: number }) =>
  db.selectFrom('center').select(['id', 'name', 'time_zone as timeZone']).where('id', '=', v.id),
);

const doctorById = rowStatement((db, v: { centerId: number; id: number }) =>
  db.selectFrom('doctor').select(DOCTOR_COLUMNS).where('center_id', '=', v.centerId).where('id', '=', v.id),
);

const doctorsOfCenter = statement((db, v: { centerId: number }) =>
  db
    .selectFrom('doctor')
    .select(DOCTOR_COLUMNS)
    .where('center_id', '=', v.centerId)
    .where('active', '=', 1)
    .orderBy('name')
    .orderBy('id'),
);

const openingHoursOfDoctor = statement((db, v: { centerId: number; doctorId: number }) =>
  db
    .selectFrom('opening_hours')
    .select(OPENING_HOURS)
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId)
    .orderBy('weekday')
    .orderBy('from_minute'),
);

const openingHoursOfCenter = statement((db, v: { centerId: number }) =>
  db
    .selectFrom('opening_hours')
    .select(OPENING_HOURS)
    .where('center_id', '=', v.centerId)
    .orderBy('doctor_id')
    .orderBy('weekday')
    .orderBy('from_minute'),
);

const leavesOfDoctor = statement((db, v: { centerId: number; doctorId: number }) =>
  db
    .selectFrom('doctor_leave')
    .select(['from_at as from', 'to_at as to'])
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId),
);

/** One row if any of these tables contains a row. */
const anything = statement((db, _: object) =>
  db
    .selectFrom('center')
    .select(sql<number>`1`.as('found'))
    .unionAll(db.selectFrom('doctor').select(sql<number>`1`.as('found')))
    .unionAll(db.selectFrom('appointment').select(sql<number>`1`.as('found')))
    .unionAll(db.selectFrom('feedback').select(sql<number>`1`.as('found')))
    .unionAll(db.selectFrom('message').select(sql<number>`1`.as('found')))
    .limit(1),
);

const insertCenter = statement((db, v: Center) =>
  db.insertInto('center').values({ id: v.id, name: v.name, time_zone: v.timeZone }),
);

const insertDoctor = statement((db, v: NewDoctor) =>
  db.insertInto('doctor').values({
    center_id: v.centerId,
    id: v.id,
    name: v.name,
    department: v.department,
    specialization: v.specialization,
    qualification: v.qualification,
    slot_minutes: v.slotMinutes,
    capacity: v.capacity,
    active: 1,
  }),
);

export const insertOpeningHours = statement((db, v: OpeningHours & { centerId: number }) =>
  db.insertInto('opening_hours').values({
    center_id: v.centerId,
    doctor_id: v.doctorId,
    weekday: v.weekday,
    from_minute: v.from,
    to_minute: v.to,
    valid_from: v.validFrom,
    valid_to: v.validTo,
  }),
);

export const insertLeave = statement((db, v: DoctorLeave & { centerId: number; doctorId: number }) =>
  db.insertInto('doctor_leave').values({ center_id: v.centerId, doctor_id: v.doctorId, from_at: v.from, to_at: v.to }),
);

export const referenceVersion = (db: Kysely<Schema>) => db.selectFrom('reference_version').select('version');
const version = rowStatement((db, _: object) => referenceVersion(db));

/** Centers, doctors and their hours: the hospital loads them, and the operations only read them. */
export class ReferenceRecords {
  readonly #session: Session;
  #isKeeping = false;
  #kept: KeptReference | undefined;
  #asked: Promise<KeptReference> | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /**
   * Runs the work of a writer. The centers, doctors, hours and leaves that it requests are taken from the cache of earlier work, unless the
   * version shows that something has changed since. The version is read once, in the same transaction.
   */
  async keeping<T>(work: () => Promise<T>): Promise<T> {
    this.#isKeeping = true;
    this.#asked = undefined;
    try {
      return await work();
    } catch (error) {
      // The cached data may come from this unit of work, which is now rolled back.
      this.#kept = undefined;
      throw error;
    } finally {
      this.#isKeeping = false;
    }
  }

  async center(id: number): Promise<Center | undefined> {
    const read = () => centerById(this.#session, { id });
    const kept = await this.#current();
    return kept === undefined ? read() : keptOr(kept.centers, id, read);
  }

  /** Also returns a doctor who can no longer be booked. */
  async doctor(centerId: number, id: number): Promise<Doctor | undefined> {
    const read = () => doctorById(this.#session, { centerId, id });
    const kept = await this.#current();
    return kept === undefined ? read() : keptOr(kept.doctors, `${centerId} ${id}`, read);
  }

  /** Active doctors by name, then id. */
  doctors(centerId: number): Promise<readonly Doctor[]> {
    return doctorsOfCenter(this.#session, { centerId });
  }

  async openingHours(centerId: number, doctorId: number): Promise<readonly OpeningHours[]> {
    const read = () => openingHoursOfDoctor(this.#session, { centerId, doctorId });
    const kept = await this.#current();
    return (kept === undefined ? await read() : await keptOr(kept.openingHours, `${centerId} ${doctorId}`, read)) ?? [];
  }

  openingHoursOfCenter(centerId: number): Promise<readonly OpeningHours[]> {
    return openingHoursOfCenter(this.#session, { centerId });
  }

  /** Leaves that end after a wall minute. */
  async leaves(centerId: number, doctorId: number, after: number): Promise<readonly DoctorLeave[]> {
    const read = () => leavesOfDoctor(this.#session, { centerId, doctorId });
    const kept = await this.#current();
    const leaves = kept === undefined ? await read() : await keptOr(kept.leaves, `${centerId} ${doctorId}`, read);
    return leaves?.filter(({ to }) => to > after) ?? [];
  }

  /** Increases with every change to the data in these tables, except marks. */
  async version(): Promise<number> {
    return (await version(this.#session, {}))?.version ?? 0;
  }

  /** True if there is no center, doctor, appointment, feedback or message. */
  async isEmpty(): Promise<boolean> {
    return (await anything(this.#session, {})).length === 0;
  }

  async addCenter(center: Center): Promise<void> {
    this.#isKeeping = false;
    await insertCenter(this.#session, center);
  }

  async addDoctor(doctor: NewDoctor): Promise<void> {
    this.#isKeeping = false;
    await insertDoctor(this.#session, doctor);
  }

  async addOpeningHours(centerId: number, openingHours: OpeningHours): Promise<void> {
    this.#isKeeping = false;
    await insertOpeningHours(this.#session, { ...openingHours, centerId });
  }

  async addLeave(centerId: number, doctorId: number, leave: DoctorLeave): Promise<void> {
    this.#isKeeping = false;
    await insertLeave(this.#session, { ...leave, centerId, doctorId });
  }

  /** Stores a fact about the database itself. */
  async setMark(name: string, value: string): Promise<void> {
    await setMark(this.#session, { name, value });
  }

  async mark(name: string): Promise<string | undefined> {
    return (await markByName(this.#session, { name }))[0]?.value;
  }

  async removeMark(name: string): Promise<void> {
    await removeMark(this.#session, { name });
  }

  /**
   * The cache for the running unit of work or for the reads; undefined in a unit of work that changes the cached data, and for reads that
   * have no cache.
   */
  #current(): Promise<KeptReference> | KeptReference | undefined {
    if (!this.#isKeeping) return this.#session.kept;
    this.#asked ??= this.#askVersion();
    return this.#asked;
  }

  async #askVersion(): Promise<KeptReference> {
    const current = await this.version();
    if (this.#kept?.version !== current) this.#kept = new KeptReference(current);
    return this.#kept;
  }
}
