import { type Kysely, sql } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

/** The tables that the seven operations need. */
export async function firstLight(
  db: Kysely<Schema>,
  { endTable, countedKey, instant, wallMinute, countChanges }: DatabaseDifferences,
) {
  const { schema } = db;
  await endTable(
    schema
      .createTable('center')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('time_zone', 'text', (c) => c.notNull()),
  ).execute();
  await endTable(
    schema
      .createTable('doctor')
      .addColumn('center_id', 'integer', (c) => c.notNull().references('center.id'))
      .addColumn('id', 'integer', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('department', 'text')
      .addColumn('specialization', 'text')
      .addColumn('qualification', 'text')
      .addColumn('slot_minutes', 'integer', (c) => c.notNull())
      .addColumn('capacity', 'integer', (c) => c.notNull())
      .addColumn('active', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('doctor_key', ['center_id', 'id'])
      .addCheckConstraint('doctor_slot_minutes', sql`slot_minutes between 5 and 240`)
      .addCheckConstraint('doctor_capacity', sql`capacity >= 1`),
  ).execute();
  await endTable(
    schema
      .createTable('opening_hours')
      .addColumn('id', 'integer', countedKey)
      .addColumn('center_id', 'integer', (c) => c.notNull())
      .addColumn('doctor_id', 'integer', (c) => c.notNull())
      .addColumn('weekday', 'integer', (c) => c.notNull())
      .addColumn('from_minute', 'integer', (c) => c.notNull())
      .addColumn('to_minute', 'integer', (c) => c.notNull())
      .addColumn('valid_from', 'text')
      .addColumn('valid_to', 'text')
      .addForeignKeyConstraint('opening_hours_doctor', ['center_id', 'doctor_id'], 'doctor', ['center_id', 'id']),
  ).execute();
  await schema
    .createIndex('opening_hours_by_doctor')
    .on('opening_hours')
    .columns(['center_id', 'doctor_id', 'weekday', 'from_minute'])
    .execute();
  await endTable(
    schema
      .createTable('doctor_leave')
      .addColumn('id', 'integer', countedKey)
      .addColumn('center_id', 'integer', (c) => c.notNull())
      .addColumn('doctor_id', 'integer', (c) => c.notNull())
      .addColumn('from_at', wallMinute, (c) => c.notNull())
      .addColumn('to_at', wallMinute, (c) => c.notNull())
      .addForeignKeyConstraint('doctor_leave_doctor', ['center_id', 'doctor_id'], 'doctor', ['center_id', 'id']),
  ).execute();
  await schema
    .createIndex('doctor_leave_by_doctor')
    .on('doctor_leave')
    .columns(['center_id', 'doctor_id', 'to_at'])
    .execute();
  await endTable(
    schema
      .createTable('appointment')
      .addColumn('id', 'integer', countedKey)
      .addColumn('center_id', 'integer', (c) => c.notNull())
      .addColumn('doctor_id', 'integer', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('starts_at', wallMinute, (c) => c.notNull())
      .addColumn('ends_at', wallMinute, (c) => c.notNull())
      .addColumn('seat', 'integer', (c) => c.notNull())
      .addColumn('token_no', 'integer', (c) => c.notNull())
      .addColumn('status', 'integer', (c) => c.notNull())
      .addColumn('reschedule_count', 'integer', (c) => c.notNull())
      .addColumn('patient_key', 'text', (c) => c.notNull())
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
      .addForeignKeyConstraint('appointment_doctor', ['center_id', 'doctor_id'], 'doctor', ['center_id', 'id'])
      // The guards look back only as far as the longest slot, so they would miss a longer one.
      .addCheckConstraint('appointment_length', sql`ends_at > starts_at and ends_at - starts_at <= 240`)
      .addCheckConstraint('appointment_status', sql`status between 1 and 7`),
  ).execute();
  await schema
    .createIndex('appointment_by_day')
    .on('appointment')
    .columns(['center_id', 'doctor_id', 'day', 'starts_at', 'id'])
    .execute();
  await endTable(
    schema
      .createTable('day_token')
      .addColumn('center_id', 'integer', (c) => c.notNull())
      .addColumn('doctor_id', 'integer', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('last_token', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('day_token_key', ['center_id', 'doctor_id', 'day']),
  ).execute();
  await endTable(
    schema
      .createTable('feedback')
      .addColumn('id', 'integer', countedKey)
      .addColumn('ipno', 'text', (c) => c.notNull())
      .addColumn('roomno', 'text')
      .addColumn('mobile', 'text')
      .addColumn('dept', 'text')
      .addColumn('comment', 'text')
      .addColumn('received_on', instant, (c) => c.notNull()),
  ).execute();
  await schema.createIndex('feedback_by_ipno').on('feedback').columns(['ipno', 'received_on']).execute();
  await endTable(
    schema
      .createTable('message')
      .addColumn('id', 'integer', countedKey)
      .addColumn('mobile', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('tempid', 'integer', (c) => c.notNull())
      .addColumn('mode', 'integer', (c) => c.notNull())
      .addColumn('encoding', 'text', (c) => c.notNull())
      .addColumn('segments', 'integer', (c) => c.notNull())
      .addColumn('status', 'integer', (c) => c.notNull())
      .addColumn('queued_on', instant, (c) => c.notNull()),
  ).execute();
  await schema.createIndex('message_by_mobile').on('message').columns(['mobile', 'queued_on']).execute();
  await endTable(
    schema
      .createTable('service_mark')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('value', 'text', (c) => c.notNull()),
  ).execute();
  await endTable(schema.createTable('reference_version').addColumn('version', 'integer', (c) => c.notNull())).execute();
  await db.insertInto('reference_version').values({ version: 1 }).execute();
  await countChanges(db, ['center', 'doctor', 'opening_hours', 'doctor_leave']);
}
