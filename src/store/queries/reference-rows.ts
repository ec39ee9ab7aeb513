import { number, optionalNumber, optionalText, type Stored, text } from '../../vocabulary/stored-records.ts';

/** The tables of reference data: the fields of their rows, and the columns that identify a row, if it can be changed. */
export const REFERENCE_TABLES = {
  center: {
    key: ['id'],
    order: ['id'],
    fields: {
      id: number('id'),
      name: text('name'),
      timeZone: text('time_zone'),
      phoneRegion: optionalText('phone_region'),
    },
  },
  doctor: {
    key: ['center_id', 'id'],
    order: ['center_id', 'id'],
    fields: {
      id: number('id'),
      centerId: number('center_id'),
      name: text('name'),
      department: optionalText('department'),
      specialization: optionalText('specialization'),
      qualification: optionalText('qualification'),
      slotMinutes: number('slot_minutes'),
      capacity: number('capacity'),
      active: number('active'),
    },
  },
  opening_hours: {
    key: [],
    order: ['center_id', 'doctor_id', 'weekday', 'from_minute_of_day', 'id'],
    fields: {
      centerId: number('center_id'),
      doctorId: number('doctor_id'),
      weekday: number('weekday'),
      from: number('from_minute_of_day'),
      to: number('to_minute_of_day'),
      validFrom: optionalText('first_day'),
      validTo: optionalText('last_day'),
    },
  },
  doctor_leave: {
    key: [],
    order: ['center_id', 'from_wall_minute', 'id'],
    fields: {
      centerId: number('center_id'),
      /** Null for all doctors of the center. */
      doctorId: optionalNumber('doctor_id'),
      from: number('from_wall_minute'),
      to: number('to_wall_minute'),
    },
  },
  message_template: {
    key: ['template_id'],
    order: ['template_id'],
    fields: {
      tempid: number('template_id'),
      dltTemplateId: optionalText('dlt_template_id'),
      principalEntityId: optionalText('principal_entity_id'),
      header: optionalText('header'),
      category: optionalText('category'),
      text: text('text'),
      active: number('active'),
    },
  },
} as const;

export type ReferenceTable = keyof typeof REFERENCE_TABLES;

/** A row with the values that its table has. */
export type ReferenceRow<Table extends ReferenceTable> = Stored<(typeof REFERENCE_TABLES)[Table]['fields']>;

/** A site of a hospital. Source: HL7 FHIR Location. */
export type Center = ReferenceRow<'center'>;
export type Doctor = ReferenceRow<'doctor'>;
/** A time range of a doctor's week. */
export type OpeningHours = ReferenceRow<'opening_hours'>;
/** A span of wall minutes, half-open. */
export type DoctorLeave = ReferenceRow<'doctor_leave'>;
/** A text that messages are sent with. */
export type MessageTemplate = ReferenceRow<'message_template'>;
