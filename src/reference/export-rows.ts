import type { AppointmentKey } from '../store/queries/appointment-queries.ts';
import { type AuditEvent, DELETIONS } from '../store/queries/audit-queries.ts';
import { type AppointmentChange, allOf, BEFORE_FIRST, type FeedbackChange } from '../store/queries/export-queries.ts';
import type { Store } from '../store/store.ts';
import { inRegion } from '../vocabulary/phone.ts';
import type { WallMinute } from '../vocabulary/wall-minute.ts';
import { instantText } from './cell-types.ts';
import { type ReferenceRows, readReferenceRows } from './imported-rows.ts';
import { appointmentRow, feedbackRow } from './record-rows.ts';
import { cellsOf, REFERENCE_TABLE_NAMES, type ReferenceTableName, titlesOf } from './tables.ts';

type DeletionKey = Pick<AuditEvent, 'recordedOn' | 'id'>;

/** Which appointments are exported: all, for an absent field. */
export interface AppointmentFilter {
  /** First and last day. */
  readonly from?: WallMinute | undefined;
  readonly to?: WallMinute | undefined;
  /** Ids of a doctor and a center. */
  readonly doctor?: number | undefined;
  readonly center?: number | undefined;
}

export interface ExportOptions extends AppointmentFilter {
  /** The time zone of times that do not belong to a center. */
  readonly timeZone: string;
  /** Instant, ms: only those that were added or changed at or after it are exported. Undefined for all. */
  readonly since?: number | undefined;
  /** Region whose phone numbers are written as its callers write them. Undefined for E.164. */
  readonly phoneRegion?: string | undefined;
}

/** The files of an export: their titles and rows. `names` are those of the requested tables, to which `deleted` may be added. */
export async function exportRows(store: Store, names: readonly string[], options: ExportOptions) {
  const rows = await store.read(readReferenceRows);
  const tableRows = <Name extends ReferenceTableName>(name: Name) => rows[name].map((row) => cellsOf(name, row));
  const files = [
    ...REFERENCE_TABLE_NAMES.map((name) => ({ name, rows: tableRows(name) })),
    { name: 'appointments' as const, rows: appointmentRows(store, rows, options) },
    { name: 'feedback' as const, rows: feedbackRows(store, options) },
  ];
  const chosen = files.filter(({ name }) => names.includes(name));
  const { since } = options;
  const operations = Object.entries(DELETIONS).flatMap(([name, operation]) => (names.includes(name) ? operation : []));
  return [
    ...chosen.map((file) => ({ ...file, titles: titlesOf(file.name) })),
    ...(since === undefined || operations.length === 0
      ? []
      : [{ name: 'deleted', titles: ['Record', 'DeletedOn'], rows: deletedRows(store, operations, since, options) }]),
  ];
}

async function* appointmentRows(
  store: Store,
  { centers }: ReferenceRows,
  { timeZone, since, phoneRegion, from = -Infinity, to = Infinity, doctor, center }: ExportOptions,
) {
  const zones = new Map(centers.map((center) => [center.id, center.timeZone]));
  const regions = new Map(centers.map((center) => [center.id, center.phoneRegion]));
  for await (const appointment of since === undefined ? allAppointments(store) : changedAppointments(store, since)) {
    const row = appointmentRow(appointment, zones.get(appointment.centerId) ?? timeZone);
    if (row.day < from || row.day > to) continue;
    if ((doctor ?? row.doctorId) !== row.doctorId || (center ?? row.centerId) !== row.centerId) continue;
    const { contactnumber: phone } = row;
    const region = phoneRegion && (regions.get(appointment.centerId) ?? phoneRegion);
    const contactnumber = phone === null || region === undefined ? phone : inRegion(phone, region);
    yield cellsOf('appointments', { ...row, contactnumber });
  }
}

/** Every appointment, by center and id. */
export const allAppointments = (store: Store) =>
  allOf((last: AppointmentKey) => store.read(({ exports }) => exports.appointmentsAfter(last)), BEFORE_FIRST);

/** One that is changed again meanwhile is left to the next export, which finds it by its new time. Otherwise, it could appear twice. */
async function* changedAppointments(store: Store, since: number) {
  const until = await store.read(({ exports }) => exports.lastChange('appointment'));
  const after = (last: AppointmentChange) => store.read(({ exports }) => exports.changedAfter({ ...last, until }));
  yield* allOf(after, { ...BEFORE_FIRST, updatedOn: since });
}

async function* feedbackRows(store: Store, { timeZone, since }: ExportOptions) {
  for await (const feedback of since === undefined ? allFeedback(store) : changedFeedback(store, since)) {
    yield cellsOf('feedback', feedbackRow(feedback, timeZone));
  }
}

export const allFeedback = (store: Store) =>
  allOf((last: { id: number }) => store.read(({ exports }) => exports.feedbackAfter(last)), { id: 0 });

async function* changedFeedback(store: Store, since: number) {
  const until = await store.read(({ exports }) => exports.lastChange('feedback'));
  const after = (last: FeedbackChange) => store.read(({ exports }) => exports.feedbackChangedAfter({ ...last, until }));
  yield* allOf(after, { updatedOn: since, id: 0 });
}

/** What the retention has deleted since then, named as `tpws patient` names it. Whoever follows the changes must delete it, too. */
async function* deletedRows(store: Store, operations: readonly string[], since: number, { timeZone }: ExportOptions) {
  for (const operation of operations) {
    const after = (last: DeletionKey) => store.read(({ audit }) => audit.page({ operation, since }, last));
    for await (const { shown, recordedOn } of allOf(after, { recordedOn: since, id: 0 })) {
      const records = shown?.split(' ') ?? [];
      const names = records.map((name) => (name.includes(':') ? name : `appointment:${name}`));
      for (const name of names) yield [name, instantText(recordedOn, timeZone)];
    }
  }
}
