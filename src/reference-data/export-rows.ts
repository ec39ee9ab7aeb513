import { BEFORE_FIRST } from '../store/queries/export-queries.ts';
import type { Store } from '../store/store.ts';
import { appointmentRow, feedbackRow } from './record-rows.ts';
import { type ReferenceRows, readReferenceRows } from './reference-rows.ts';
import { cellsOf, REFERENCE_TABLES, type ReferenceTableName, TABLE_NAMES, type TableName, titlesOf } from './tables.ts';

/** A file of an export: its first row and the remaining rows. */
export interface ExportedFile {
  /** Without extension. */
  readonly name: TableName;
  readonly titles: readonly string[];
  readonly rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>;
}

/** Everything that can be exported. */
export const EXPORTS: readonly string[] = TABLE_NAMES;

/** Which appointments and feedback are exported, and how. */
export interface ExportOptions {
  /** The time zone of times that do not belong to a center. */
  readonly timeZone: string;
  /** Instant, ms: only those that were added or changed at or after it are exported. Undefined for all. */
  readonly since: number | undefined;
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

async function* appointmentRows(store: Store, { centers }: ReferenceRows, { timeZone, since }: ExportOptions) {
  const zones = new Map(centers.map((center) => [center.id, center.timeZone]));
  for (let last = BEFORE_FIRST; ; ) {
    const page = await store.read(({ exports }) => exports.appointmentsAfter(last));
    if (page.length === 0) return;
    for (const appointment of page) {
      last = appointment;
      if (since !== undefined && appointment.updatedOn < since) continue;
      const zone = zones.get(appointment.centerId) ?? timeZone;
      yield cellsOf('appointments', appointmentRow(appointment, zone));
    }
  }
}

async function* feedbackRows(store: Store, { timeZone, since }: ExportOptions) {
  for (let last = 0; ; ) {
    const page = await store.read(({ exports }) => exports.feedbackAfter(last));
    if (page.length === 0) return;
    for (const feedback of page) {
      last = feedback.id;
      if (since !== undefined && feedback.receivedOn < since) continue;
      yield cellsOf('feedback', feedbackRow(feedback, timeZone));
    }
  }
}
