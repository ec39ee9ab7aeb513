import type { AuditEvent } from '../store/queries/audit-queries.ts';
import { formatInstant } from '../vocabulary/time-zone.ts';
import { formatWallMinute } from '../vocabulary/wall-minute.ts';

type Cell = string | number;

/** The columns of an export, named as in the contract where it has a name for them. */
const COLUMNS: Readonly<Record<string, (event: AuditEvent) => Cell | null>> = {
  AuditID: ({ id }) => id,
  RecordedOn: ({ recordedOn }) => formatInstant(recordedOn),
  Operation: ({ operation }) => operation,
  Action: ({ action }) => action,
  Outcome: ({ outcome }) => outcome,
  ResultCode: ({ resultCode }) => resultCode,
  Code: ({ errorCode }) => errorCode,
  Client: ({ client }) => client,
  Address: ({ address }) => address,
  Transport: ({ transport }) => transport,
  CorrelationId: ({ correlationId }) => correlationId,
  centerid: ({ centerId }) => centerId,
  AppointmentID: ({ appointmentId }) => appointmentId,
  DoctorID: ({ doctorId }) => doctorId,
  Day: ({ day }) => day,
  FeedbackID: ({ feedbackId }) => feedbackId,
  SMSID: ({ messageId }) => messageId,
  Shown: ({ shown }) => shown,
  Operator: ({ operator }) => operator,
  Reference: ({ reference }) => reference,
  Move: ({ moveName }) => moveName,
  FromStatus: ({ fromStatus }) => fromStatus,
  ToStatus: ({ toStatus }) => toStatus,
  FromStart: ({ fromStart }) => (fromStart === null ? null : formatWallMinute(fromStart)),
  ToStart: ({ toStart }) => (toStart === null ? null : formatWallMinute(toStart)),
  Corrected: ({ corrected }) => corrected,
};

export const AUDIT_TITLES: readonly string[] = Object.keys(COLUMNS);

/** The cells of a row by their titles, without those that are empty. */
export const auditRow = (event: AuditEvent): Readonly<Record<string, Cell>> =>
  Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([title, cell]) => {
      const value = cell(event);
      return value === null ? [] : [[title, value]];
    }),
  );

/** Times in human-readable form. The names of the columns tell the kinds apart: `store/schema.ts`. */
export const readableRow = (row: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === 'number' ? readable(column, value) : value]),
  );

function readable(column: string, value: number): number | string {
  if (column.endsWith('_on')) return formatInstant(value);
  return column.endsWith('_wall_minute') ? formatWallMinute(value) : value;
}
