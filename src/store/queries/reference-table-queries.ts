import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import { DOCTOR_COLUMNS, insertLeave, insertOpeningHours } from './reference-queries.ts';
import type { Center, Doctor } from './reference-rows.ts';

export interface NewOpeningHours {
  readonly centerId: number;
  readonly doctorId: number;
  /** ISO 8601: 1 Monday to 7 Sunday. */
  readonly weekday: number;
  /** Minutes of the day. */
  readonly from: number;
  readonly to: number;
  /** ISO days, inclusive; null is open-ended. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/** Half-open, in wall minutes of the center. */
export interface NewLeave {
  readonly centerId: number;
  readonly doctorId: number;
  readonly from: number;
  readonly to: number;
}

export interface MessageTemplate {
  readonly tempid: number;
  readonly dltTemplateId: string | null;
  readonly principalEntityId: string | null;
  readonly header: string | null;
  readonly category: string | null;
  readonly text: string;
  /** 1 while messages may be sent with it, otherwise 0. */
  readonly active: number;
}

const allCenters = statement((db, _: object) =>
  db.selectFrom('center').select(['id', 'name', 'time_zone as timeZone']).orderBy('id'),
);

const allDoctors = statement((db, _: object) =>
  db.selectFrom('doctor').select(DOCTOR_COLUMNS).orderBy('center_id').orderBy('id'),
);

const allOpeningHours = statement((db, _: object) =>
  db
    .selectFrom('opening_hours')
    .select([
      'center_id as centerId',
      'doctor_id as doctorId',
      'weekday',
      'from_minute_of_day as from',
      'to_minute_of_day as to',
      'first_day as validFrom',
      'last_day as validTo',
    ])
    .orderBy('center_id')
    .orderBy('doctor_id')
    .orderBy('weekday')
    .orderBy('from_minute_of_day')
    .orderBy('id'),
);

const allLeaves = statement((db, _: object) =>
  db
    .selectFrom('doctor_leave')
    .select(['center_id as centerId', 'doctor_id as doctorId', 'from_wall_minute as from', 'to_wall_minute as to'])
    .orderBy('center_id')
    .orderBy('doctor_id')
    .orderBy('from_wall_minute')
    .orderBy('id'),
);

const allTemplates = statement((db, _: object) =>
  db
    .selectFrom('message_template')
    .select([
      'template_id as tempid',
      'dlt_template_id as dltTemplateId',
      'principal_entity_id as principalEntityId',
      'header',
      'category',
      'text',
      'active',
    ])
    .orderBy('template_id'),
);

const putCenter = statement((db, v: Center) =>
  db
    .insertInto('center')
    .values({ id: v.id, name: v.name, time_zone: v.timeZone })
    .onConflict((c) => c.column('id').doUpdateSet({ name: v.name, time_zone: v.timeZone })),
);

const putDoctor = statement((db, v: Doctor) => {
  const values = {
    name: v.name,
    department: v.department,
    specialization: v.specialization,
    qualification: v.qualification,
    slot_minutes: v.slotMinutes,
    capacity: v.capacity,
    active: v.active,
  };
  return db
    .insertInto('doctor')
    .values({ center_id: v.centerId, id: v.id, ...values })
    .onConflict((c) => c.columns(['center_id', 'id']).doUpdateSet(values));
});

const putTemplate = statement((db, v: MessageTemplate) => {
  const values = {
    dlt_template_id: v.dltTemplateId,
    principal_entity_id: v.principalEntityId,
    header: v.header,
    category: v.category,
    text: v.text,
    active: v.active,
  };
  return db
    .insertInto('message_template')
    .values({ template_id: v.tempid, ...values })
    .onConflict((c) => c.column('template_id').doUpdateSet(values));
});

const removeOpeningHours = statement((db, v: NewOpeningHours) =>
  db
    .deleteFrom('opening_hours')
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId)
    .where('weekday', '=', v.weekday)
    .where('from_minute_of_day', '=', v.from)
    .where('to_minute_of_day', '=', v.to)
    .where('first_day', 'is not distinct from', v.validFrom)
    .where('last_day', 'is not distinct from', v.validTo),
);
const removeLeave = statement((db, v: NewLeave) =>
  db
    .deleteFrom('doctor_leave')
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId)
    .where('from_wall_minute', '=', v.from)
    .where('to_wall_minute', '=', v.to),
);
const removeDoctor = statement((db, v: { centerId: number; id: number }) =>
  db.deleteFrom('doctor').where('center_id', '=', v.centerId).where('id', '=', v.id),
);
const removeCenter = statement((db, v: { id: number }) => db.deleteFrom('center').where('id', '=', v.id));

/** The reference data as whole tables, which an import compares and changes, and an export writes out. */
export class ReferenceTableQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  centers(): Promise<readonly Center[]> {
    return allCenters(this.#session, {});
  }

  /** By center, then id; includes inactive ones. */
  doctors(): Promise<readonly Doctor[]> {
    return allDoctors(this.#session, {});
  }

  /** By center, doctor, weekday and time. */
  openingHours(): Promise<readonly NewOpeningHours[]> {
    return allOpeningHours(this.#session, {});
  }

  /** By center, doctor and time; includes past ones. */
  leaves(): Promise<readonly NewLeave[]> {
    return allLeaves(this.#session, {});
  }

  templates(): Promise<readonly MessageTemplate[]> {
    return allTemplates(this.#session, {});
  }

  /** Adds the center, or updates the one with its id to these values. */
  async putCenter(center: Center): Promise<void> {
    await putCenter(this.#session, center);
  }

  /** Adds the doctor, or updates the one with this center and id to these values. */
  async putDoctor(doctor: Doctor): Promise<void> {
    await putDoctor(this.#session, doctor);
  }

  async addOpeningHours(openingHours: NewOpeningHours): Promise<void> {
    await insertOpeningHours(this.#session, openingHours);
  }

  async addLeave(leave: NewLeave): Promise<void> {
    await insertLeave(this.#session, leave);
  }

  /** Adds the template, or updates the one with its tempid to these values. */
  async putTemplate(template: MessageTemplate): Promise<void> {
    await putTemplate(this.#session, template);
  }

  async removeOpeningHours(openingHours: NewOpeningHours): Promise<void> {
    await removeOpeningHours(this.#session, openingHours);
  }

  async removeLeave(leave: NewLeave): Promise<void> {
    await removeLeave(this.#session, leave);
  }

  /** Fails if anything references the doctor. */
  async removeDoctor(centerId: number, id: number): Promise<void> {
    await removeDoctor(this.#session, { centerId, id });
  }

  /** Fails if anything references the center. */
  async removeCenter(id: number): Promise<void> {
    await removeCenter(this.#session, { id });
  }
}
