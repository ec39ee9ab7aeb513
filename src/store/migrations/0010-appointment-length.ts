import { type Kysely, sql } from 'kysely';
import { likelyLength } from '../../vocabulary/time-zone.ts';
import { appointmentReport } from './0001-reports.ts';
import type { Step } from './step.ts';

/** As many rows as are read at a time. */
const PAGE = 10_000;

interface TimedRow {
  readonly center_id: number;
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly slot_minutes: number;
  readonly time_zone: string;
}

/** Appointments have their ends on the center's clock, from which their lengths follow wherever the clocks did not change. */
async function findLengths(db: Kysely<unknown>): Promise<void> {
  let [center, last] = [-(2 ** 31), -1];
  for (let count = PAGE; count === PAGE; ) {
    const { rows } = await sql<TimedRow>`SELECT appointment.center_id, appointment.id, slot_minutes, time_zone,
        CAST(start_wall_minute AS double precision) AS start, CAST(end_wall_minute AS double precision) AS "end"
      FROM appointment JOIN center ON center.id = appointment.center_id
        JOIN doctor ON doctor.center_id = appointment.center_id AND doctor.id = doctor_id
      WHERE (appointment.center_id, appointment.id) > (${sql.lit(center)}, ${sql.lit(last)})
      ORDER BY appointment.center_id, appointment.id LIMIT ${sql.lit(PAGE)}`.execute(db);
    for (const { start, end, slot_minutes, time_zone, ...row } of rows) {
      [center, last] = [row.center_id, row.id];
      const minutes = likelyLength(start, end, slot_minutes, time_zone);
      if (minutes === end - start) continue;
      await sql`UPDATE appointment SET minutes = ${minutes} WHERE center_id = ${center} AND id = ${last}`.execute(db);
    }
    count = rows.length;
  }
}

/** Where the clocks change, no two times on them say how long an appointment takes: with an hour shown twice, many lengths end at one. */
export const APPOINTMENT_LENGTH: Step = {
  columns: [
    {
      table: 'appointment',
      name: 'minutes',
      definition: 'integer CONSTRAINT appointment_minutes CHECK (minutes >= 1)',
      meaning: 'How long it takes, if the clocks change meanwhile; null if that is its end minus its start',
    },
  ],
  statements: (engine) => {
    const report = appointmentReport(engine, 'coalesce(minutes, end_wall_minute - start_wall_minute)');
    return engine === 'sqlite' ? ['DROP VIEW report_appointment', `CREATE ${report}`] : [`CREATE OR REPLACE ${report}`];
  },
  rows: findLengths,
};
