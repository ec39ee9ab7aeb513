import { type Kysely, sql } from 'kysely';
import { nameKey, REGISTRATION_PLACEHOLDERS, registrationKey } from '../../vocabulary/patients.ts';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

/** The table as the steps before this one left it, with the columns that this step reads. */
interface OldAppointment {
  readonly id: number;
  readonly center_id: number;
  readonly patient_key: string;
  readonly registration_number: string | null;
  readonly name: string;
}

interface Tables {
  readonly appointment: OldAppointment;
  readonly appointment_of_center: Omit<OldAppointment, 'patient_key'> & {
    readonly registration_key: string | null;
    readonly name_key: string;
  };
}

/** Rows per batch: as many as SQLite's limit of 32,766 parameters per statement allows for their 25 columns. */
const PAGE = 1000;

/**
 * An AppointmentID is unique only within its center, and a patient is identified by registration number, name and phone instead of one key
 * derived from some of them. SQLite cannot change a key, so the table is recreated.
 */
export async function appointmentsOfCenters(
  db: Kysely<Schema>,
  { lockTable, endTable, instant, wallMinute, guardAppointments, lastCounted, numberAppointments }: DatabaseDifferences,
) {
  const { schema } = db;
  // A service of the earlier version may still be booking: what it committed after the copy would vanish with the old table.
  await lockTable(db, 'appointment');
  const last = await lastCounted(db, 'appointment');
  await endTable(
    schema
      .createTable('appointment_of_center')
      .addColumn('center_id', 'integer', (c) => c.notNull())
      .addColumn('id', 'integer', (c) => c.notNull())
      .addColumn('doctor_id', 'integer', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('starts_at', wallMinute, (c) => c.notNull())
      .addColumn('ends_at', wallMinute, (c) => c.notNull())
      .addColumn('seat', 'integer', (c) => c.notNull())
      .addColumn('token_no', 'integer', (c) => c.notNull())
      .addColumn('status', 'integer', (c) => c.notNull())
      .addColumn('reschedule_count', 'integer', (c) => c.notNull())
      .addColumn('registration_key', 'text')
      .addColumn('name_key', 'text', (c) => c.notNull())
      .addColumn('registration_number', 'text')
      .addColumn('title', 'text')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('sex', 'text', (c) => c.notNull())
      .addColumn('age_text', 'text')
      .addColumn('age_value', 'integer')
      .addColumn('age_unit', 'text')
      .addColumn('area', 'text')
      .addColumn('phone', 'text', (c) => c.notNull())
      .addColumn('email', 'text')
      .addColumn('created_on', instant, (c) => c.notNull())
      .addColumn('updated_on', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('appointment_key', ['center_id', 'id'])
      .addForeignKeyConstraint('appointment_of_doctor', ['center_id', 'doctor_id'], 'doctor', ['center_id', 'id'])
      // The guards look back only as far as the longest slot, so they would miss a longer one.
      .addCheckConstraint('appointment_span', sql`ends_at > starts_at and ends_at - starts_at <= 240`)
      .addCheckConstraint('appointment_known_status', sql`status between 1 and 7`),
  ).execute();
  await copyAppointments(db as unknown as Kysely<Tables>);
  await schema.dropTable('appointment').execute();
  await schema.alterTable('appointment_of_center').renameTo('appointment').execute();
  await schema
    .createIndex('appointment_by_day')
    .on('appointment')
    .columns(['center_id', 'doctor_id', 'day', 'starts_at', 'id'])
    .execute();
  await guardAppointments(db, { lastHoldingStatus: 4, longestSlot: 240 });
  await numberAppointments(db, last);
}

async function copyAppointments(db: Kysely<Tables>): Promise<void> {
  const placeholders = new Set(REGISTRATION_PLACEHOLDERS);
  for (let last = 0; ; ) {
    const page = await db
      .selectFrom('appointment')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    if (page.length === 0) return;
    const rows = page.map(({ patient_key: _, ...row }) => ({
      ...row,
      registration_key: registrationKey(row.registration_number ?? undefined, placeholders),
      name_key: nameKey(row.name),
    }));
    await db.insertInto('appointment_of_center').values(rows).execute();
    last = page.at(-1)?.id ?? last;
  }
}
