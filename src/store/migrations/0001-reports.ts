import type { Engine } from './0001-tables.ts';

/** How each database computes what a report shows. */
const SHOWN = {
  sqlite: {
    wallTime: (minute: string) => `datetime(${minute} * 60, 'unixepoch')`,
    utc: (instant: string) => `datetime(${instant} / 1000, 'unixepoch')`,
  },
  postgres: {
    wallTime: (minute: string) => `TIMESTAMP '1970-01-01' + ${minute} * INTERVAL '1 minute'`,
    utc: (instant: string) => `to_timestamp(${instant} / 1000) AT TIME ZONE 'UTC'`,
  },
} as const;

/** A word for each number from 1 on. */
const words = (column: string, names: readonly string[]): string =>
  `CASE ${column} ${names.map((name, index) => `WHEN ${index + 1} THEN '${name}'`).join(' ')} END`;

const APPOINTMENT_STATUSES = ['Pending', 'Booked', 'Arrived', 'InConsultation', 'Completed', 'Cancelled', 'NoShow'];
const MESSAGE_STATUSES = ['Queued', 'Sending', 'Submitted', 'Delivered', 'Failed', 'Expired', 'Rejected', 'Dead'];
const MESSAGE_MODES = ['service', 'promotional', 'OTP', 'flash'];

/** `minutes`: SQL for the length of an appointment. */
export function appointmentReport(engine: Engine, minutes: string): string {
  const { wallTime, utc } = SHOWN[engine];
  return `VIEW report_appointment AS
    SELECT center.name AS center, doctor.name AS doctor, doctor.department, ${wallTime('start_wall_minute')} AS start_wall_time,
      CAST(${minutes} AS integer) AS minutes, ${words('status', APPOINTMENT_STATUSES)} AS status, reschedule_count,
      ${utc('created_on')} AS created_utc
    FROM appointment JOIN center ON center.id = appointment.center_id
      JOIN doctor ON doctor.center_id = appointment.center_id AND doctor.id = doctor_id`;
}

/** What a hospital may show to whoever counts appointments and messages: no patient, no number, no text, no id that leads to one. */
export function reports(engine: Engine): readonly string[] {
  const { utc } = SHOWN[engine];
  return [
    `CREATE ${appointmentReport(engine, 'end_wall_minute - start_wall_minute')}`,
    `CREATE VIEW report_message AS
    SELECT client, template_id, ${words('mode', MESSAGE_MODES)} AS mode, ${words('status', MESSAGE_STATUSES)} AS status, encoding, segments,
      attempts, ${utc('queued_on')} AS queued_utc, ${utc('submitted_on')} AS submitted_utc, ${utc('finished_on')} AS finished_utc
    FROM message`,
  ];
}
