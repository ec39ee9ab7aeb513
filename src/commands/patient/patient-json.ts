import { formatInstant } from '../../rules/time-zone.ts';
import { formatWallMinute } from '../../rules/wall-minute.ts';
import { visibleJson } from '../../vocabulary/text.ts';
import { auditRow } from '../audit/audit-rows.ts';
import type { AboutRecords, PatientRecords } from './patient-records.ts';

/** The data as JSON text. It contains every column of every row by its name, so that a new column is never omitted. `now`: ms. */
export function patientJson(
  { appointments, feedback, messages }: PatientRecords,
  { answers, audit }: AboutRecords,
  now: number,
): string {
  const document = {
    exported_on: formatInstant(now),
    appointments: appointments.map(readableRow),
    feedback: feedback.map(readableRow),
    messages: messages.map(readableRow),
    kept_answers: answers.map((row) => ({ ...readableRow(row), answer: JSON.parse(row.answer ?? 'null') })),
    audit_events: audit.map(auditRow),
  };
  return `${visibleJson(JSON.stringify(document, undefined, 2))}\n`;
}

/** Times in human-readable form. The names of the columns tell the kinds apart: `store/schema.ts`. */
export const readableRow = (row: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === 'number' ? shown(column, value) : value]),
  );

function shown(column: string, value: number): number | string {
  if (column.endsWith('_on')) return formatInstant(value);
  return column.endsWith('_wall_minute') ? formatWallMinute(value) : value;
}
