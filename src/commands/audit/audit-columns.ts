import { formatInstant } from '../../rules/time-zone.ts';
import { formatWallDay, formatWallMinute } from '../../rules/wall-minute.ts';
import type { AuditEvent } from '../../store/queries/audit-queries.ts';
import { MINUTES_PER_DAY } from '../../vocabulary/appointments.ts';

type Cell = string | number | undefined;

/** The columns of an export, named as in the contract where it has a name for them. */
const COLUMNS: readonly (readonly [title: string, cell: (event: AuditEvent) => Cell | null])[] = [
  ['AuditID', ({ id }) => id],
  ['RecordedOn', ({ recordedOn }) => formatInstant(recordedOn)],
  ['Operation', ({ operation }) => operation],
  ['Action', ({ action }) => action],
  ['Outcome', ({ outcome }) => outcome],
  ['ResultCode', ({ resultCode }) => resultCode],
  ['Code', ({ errorCode }) => errorCode],
  ['Client', ({ client }) => client],
  ['Address', ({ address }) => address],
  ['Transport', ({ transport }) => transport],
  ['CorrelationId', ({ correlationId }) => correlationId],
  ['centerid', ({ centerId }) => centerId],
  ['AppointmentID', ({ appointmentId }) => appointmentId],
  ['DoctorID', ({ doctorId }) => doctorId],
  ['Day', ({ day }) => textOf(day, (number) => formatWallDay(number * MINUTES_PER_DAY))],
  ['FeedbackID', ({ feedbackId }) => feedbackId],
  ['SMSID', ({ messageId }) => messageId],
  ['Move', ({ moveName }) => moveName],
  ['FromStatus', ({ fromStatus }) => fromStatus],
  ['ToStatus', ({ toStatus }) => toStatus],
  ['FromStart', ({ fromStart }) => textOf(fromStart, formatWallMinute)],
  ['ToStart', ({ toStart }) => textOf(toStart, formatWallMinute)],
];

const textOf = (value: number | null, format: (value: number) => string): string | undefined =>
  value === null ? undefined : format(value);

export const AUDIT_TITLES: readonly string[] = COLUMNS.map(([title]) => title);

/** The cells of a row by their titles; undefined is an empty cell. */
export const auditObject = (event: AuditEvent): Readonly<Record<string, Cell>> =>
  Object.fromEntries(COLUMNS.map(([title, cell]) => [title, cell(event) ?? undefined]));

/** The cells of a row, in the order of AUDIT_TITLES; undefined is an empty cell. */
export const auditCells = (event: AuditEvent): readonly Cell[] => COLUMNS.map(([, cell]) => cell(event) ?? undefined);
