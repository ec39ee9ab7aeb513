import { type Kysely, sql } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { AppointmentHistoryTable, Schema } from '../schema.ts';

/** An audit trail of all calls in one table, which takes over the history of appointments. */
export async function audit(
  db: Kysely<Schema>,
  { endTable, countedKey, instant, wallMinute, makeAppendOnly }: DatabaseDifferences,
) {
  const { schema } = db;
  // There are no foreign keys to the rows' subjects, because a refused call may name an appointment that does not exist.
  await endTable(
    schema
      .createTable('audit_event')
      .addColumn('id', 'integer', countedKey)
      .addColumn('recorded_on', instant, (c) => c.notNull())
      .addColumn('operation', 'text')
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('outcome', 'integer', (c) => c.notNull())
      .addColumn('result_code', 'integer')
      .addColumn('error_code', 'text')
      .addColumn('client', 'text', (c) => c.notNull())
      .addColumn('transport', 'text')
      .addColumn('correlation_id', 'text', (c) => c.notNull())
      .addColumn('center_id', 'integer')
      .addColumn('appointment_id', 'integer')
      .addColumn('doctor_id', 'integer')
      .addColumn('day', 'integer')
      .addColumn('feedback_id', 'integer')
      .addColumn('message_id', 'integer')
      .addColumn('move_name', 'text')
      .addColumn('from_status', 'integer')
      .addColumn('to_status', 'integer')
      .addColumn('from_at', wallMinute)
      .addColumn('to_at', wallMinute)
      .addCheckConstraint('audit_event_action', sql`action in ('C', 'R', 'U', 'E')`)
      .addCheckConstraint('audit_event_outcome', sql`outcome in (0, 4, 8)`),
  ).execute();
  await takeOverHistory(db);
  await schema.createIndex('audit_event_by_time').on('audit_event').columns(['recorded_on', 'id']).execute();
  await schema
    .createIndex('audit_event_by_appointment')
    .on('audit_event')
    .columns(['appointment_id', 'id'])
    .where('appointment_id', 'is not', null)
    .execute();
  await makeAppendOnly(db, 'audit_event', { age: 'recorded_on', mark: 'forget-audit' });
}

/** Only these two operations recorded moves, and callers did not have to identify themselves. */
async function takeOverHistory(db: Kysely<Schema>) {
  const history = db.withTables<{ appointment_history: AppointmentHistoryTable }>();
  await history
    .insertInto('audit_event')
    .columns([
      'recorded_on',
      'operation',
      'action',
      'outcome',
      'result_code',
      'client',
      'transport',
      'correlation_id',
      'center_id',
      'appointment_id',
      'doctor_id',
      'move_name',
      'from_status',
      'to_status',
      'from_at',
      'to_at',
    ])
    .expression(
      history
        .selectFrom('appointment_history as h')
        .innerJoin('appointment as a', 'a.id', 'h.appointment_id')
        .select([
          'h.happened_on',
          sql<string>`case h.move_name when 'Book' then 'Fetch_Details' else 'Appointment_Status_Updates' end`.as(
            'operation',
          ),
          sql<string>`case h.move_name when 'Book' then 'C' else 'U' end`.as('action'),
          sql<number>`0`.as('outcome'),
          sql<number>`0`.as('result_code'),
          sql<string>`'anonymous'`.as('client'),
          'h.transport',
          'h.correlation_id',
          'a.center_id',
          'h.appointment_id',
          'a.doctor_id',
          'h.move_name',
          'h.from_status',
          'h.to_status',
          'h.from_at',
          'h.to_at',
        ])
        .orderBy('h.id'),
    )
    .execute();
  await db.schema.dropTable('appointment_history').execute();
}
