import type { AppointmentKey } from '../store/queries/appointment-queries.ts';
import { BEFORE_FIRST } from '../store/queries/export-queries.ts';
import type { Store } from '../store/store.ts';
import { appointmentRow, feedbackRow } from './record-rows.ts';
import { type ReferenceRows, readReferenceRows } from './reference-rows.ts';
import { cellsOf, REFERENCE_TABLES, type ReferenceTableName, TABLE_NAMES, type TableName, titlesOf } from './tables.ts';

/** A file of an export: its first row and the remaining rows. */
export interface ExportedFile {
  readonly name: TableName;
  readonly titles: readonly string[];
  readonly rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>;
}

export const EXPORTS: readonly string[] = TABLE_NAMES;

export interface ExportOptions {
  /** The time zone of times that do not belong to a center. */
  readonly timeZone: string;
  /** Instant, ms: only those that were added or changed at or after it are exported. Undefined for all. */
  readonly since?: number | undefined;
}

/** Exports the requested files, which must be in EXPORTS. */
export async function exportRows(
  store: Store,
  names: readonly string[],
  options: ExportOptions,
): Promise<ExportedFile[]> {
  const rows = await store.read(readReferenceRows);
  const tableRows = <Name extends ReferenceTableName>(name: Name) => rows[name].map((row) => cellsOf(name, row));
  const files = [
    ...REFERENCE_TABLES.map((name) => ({ name, rows: tableRows(name) })),
    { name: 'appointments' as const, rows: appointmentRows(store, rows, options) },
    { name: 'feedback' as const, rows: feedbackRows(store, options) },
  ];
  return files.filter(({ name }) => names.includes(name)).map((file) => ({ ...file, titles: titlesOf(file.name) }));
}

async function* appointmentRows(
  store: Store,
  { centers }: ReferenceRows,
  { timeZone, since = Number.NEGATIVE_INFINITY }: ExportOptions,
) {
  const zones = new Map(centers.map((center) => [center.id, center.timeZone]));
  const after = (last: AppointmentKey) => store.read(({ exports }) => exports.appointmentsAfter(last));
  for await (const appointment of allOf(after, BEFORE_FIRST)) {
    const zone = zones.get(appointment.centerId) ?? timeZone;
    if (appointment.updatedOn >= since) yield cellsOf('appointments', appointmentRow(appointment, zone));
  }
}

async function* feedbackRows(store: Store, { timeZone, since = Number.NEGATIVE_INFINITY }: ExportOptions) {
  const after = ({ id }: { readonly id: number }) => store.read(({ exports }) => exports.feedbackAfter(id));
  for await (const feedback of allOf(after, { id: 0 })) {
    if (feedback.receivedOn >= since) yield cellsOf('feedback', feedbackRow(feedback, timeZone));
  }
}

/** The rows of all pages. `after` returns the page after a row, which is empty at the end. */
async function* allOf<Key, Row extends Key>(after: (last: Key) => Promise<readonly Row[]>, first: Key) {
  for (let page = await after(first); page.length > 0; page = await after(page.at(-1) as Row)) yield* page;
}
