import type { Selectable } from 'kysely';
import type { Schema } from '../schema.ts';

/** The tables of reference data: the fields of their rows with their columns, and the columns that identify a row, if it can be changed. */
export const REFERENCE_TABLES = {
  center: {
    key: ['id'],
    order: ['id'],
    columns: { id: 'id', name: 'name', timeZone: 'time_zone' },
  },
  doctor: {
    key: ['center_id', 'id'],
    order: ['center_id', 'id'],
    columns: {
      id: 'id',
      centerId: 'center_id',
      name: 'name',
      department: 'department',
      specialization: 'specialization',
      qualification: 'qualification',
      slotMinutes: 'slot_minutes',
      capacity: 'capacity',
      active: 'active',
    },
  },
  opening_hours: {
    key: [],
    order: ['center_id', 'doctor_id', 'weekday', 'from_minute_of_day', 'id'],
    columns: {
      centerId: 'center_id',
      doctorId: 'doctor_id',
      weekday: 'weekday',
      from: 'from_minute_of_day',
      to: 'to_minute_of_day',
      validFrom: 'first_day',
      validTo: 'last_day',
    },
  },
  doctor_leave: {
    key: [],
    order: ['center_id', 'doctor_id', 'from_wall_minute', 'id'],
    columns: { centerId: 'center_id', doctorId: 'doctor_id', from: 'from_wall_minute', to: 'to_wall_minute' },
  },
  message_template: {
    key: ['template_id'],
    order: ['template_id'],
    columns: {
      tempid: 'template_id',
      dltTemplateId: 'dlt_template_id',
      principalEntityId: 'principal_entity_id',
      header: 'header',
      category: 'category',
      text: 'text',
      active: 'active',
    },
  },
} as const;

export type ReferenceTable = keyof typeof REFERENCE_TABLES;
type Columns<Table extends ReferenceTable> = (typeof REFERENCE_TABLES)[Table]['columns'];

/** A row with the values that its table has. */
export type ReferenceRow<Table extends ReferenceTable> = {
  readonly [Field in keyof Columns<Table>]: Selectable<Schema[Table]>[Extract<
    Columns<Table>[Field],
    keyof Selectable<Schema[Table]>
  >];
};

/** A site of a hospital. Source: HL7 FHIR Location. */
export type Center = ReferenceRow<'center'>;
export type Doctor = ReferenceRow<'doctor'>;
/** A time range of a doctor's week. */
export type OpeningHours = ReferenceRow<'opening_hours'>;
/** A span of wall minutes, half-open. */
export type DoctorLeave = ReferenceRow<'doctor_leave'>;

/** What a query selects from a table so that its rows have these fields. */
export const fieldsOf = <Table extends ReferenceTable>(table: Table) =>
  Object.entries(REFERENCE_TABLES[table].columns).map(([field, column]) => `${column} as ${field}`) as {
    [Field in keyof Columns<Table>]: `${Columns<Table>[Field] & string} as ${Field & string}`;
  }[keyof Columns<Table>][];
