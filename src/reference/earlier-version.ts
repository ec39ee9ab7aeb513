import type { Store } from '../store/store.ts';
import type { StoredAppointment, StoredFeedback } from '../vocabulary/stored-records.ts';
import { allAppointments, allFeedback } from './export-rows.ts';
import { type ReferenceRows, readReferenceRows } from './imported-rows.ts';
import { appointmentRow, differingColumns, feedbackRow } from './record-rows.ts';
import { united } from './run-import.ts';
import { cellsOf, REFERENCE_TABLE_NAMES, type RowOfTable, type TableName, titlesOf } from './tables.ts';

/** The versions for whose import an export can be written. */
export const EARLIER_VERSIONS = ['1.0.0'] as const;

/*
 * The import of version 1.0.0 refuses all files for one column or cell that it does not read. The following is what it reads, as far as this
 * version may store something else; its own dry run finds what is missing here.
 */

const UNKNOWN_TITLES: readonly string[] = ['PhoneRegion', 'Minutes'];
const AGE = /^\d{1,3} ?(?:y|yrs?|years?|m|months?|w|weeks?|d|days?)?$/i;
const ADDRESS = /^[^@\s\p{Cc}]+@[^@.\s\p{Cc}]+(?:\.[^@.\s\p{Cc}]+)+$/u;

const cut = (text: string | null, most: number): string | null => text && [...text].slice(0, most).join('');

/** An appointment without a phone number, unless its patient was erased. */
const isRefused = ({ name, phone }: StoredAppointment): boolean => name !== null && phone === null;

const earlierAppointment = (a: StoredAppointment): StoredAppointment => ({
  ...a,
  title: cut(a.title, 20),
  sexText: null,
  ageText: a.ageValue === null ? null : AGE.test(a.ageText ?? '') ? a.ageText : `${a.ageValue}${a.ageUnit}`,
  email: ADDRESS.test(a.email?.trim() ?? '') ? a.email : null,
});

const earlierFeedback = (f: StoredFeedback): StoredFeedback => ({
  ...f,
  room: cut(f.room, 50),
  mobile: cut(f.mobile, 30),
  department: cut(f.department, 100),
});

/** The leave of a center as that of each of its doctors. */
const earlierLeave = ({ leave, doctors }: ReferenceRows): readonly RowOfTable<'leave'>[] =>
  united(
    leave.flatMap((one) =>
      one.doctorId === null
        ? doctors.filter(({ centerId }) => centerId === one.centerId).map(({ id: doctorId }) => ({ ...one, doctorId }))
        : one,
    ),
  );

/** The files of an export for version 1.0.0: all tables, the appointments that it refuses, and what its files say otherwise. */
export async function earlierFiles(store: Store, timeZone: string) {
  const stored = await store.read(readReferenceRows);
  const reference = { ...stored, leave: earlierLeave(stored) };
  const zones = new Map(stored.centers.map((center) => [center.id, center.timeZone]));

  async function* appointments(which: boolean) {
    for await (const one of allAppointments(store)) {
      if (isRefused(one) !== which) continue;
      yield cellsOf('appointments', appointmentRow(earlierAppointment(one), zones.get(one.centerId) ?? timeZone));
    }
  }

  async function* feedback() {
    for await (const one of allFeedback(store)) {
      yield cellsOf('feedback', feedbackRow(earlierFeedback(one), timeZone));
    }
  }

  async function* changes() {
    for (const { id, phoneRegion } of stored.centers) {
      if (phoneRegion !== null) yield [`center:${id}`, 'PhoneRegion', 'is left out'];
    }
    for (const { centerId, doctorId } of stored.leave) {
      if (doctorId === null) yield [`center:${centerId}`, 'DoctorID', 'is a row for each doctor'];
    }
    for await (const one of allAppointments(store)) {
      const name = `appointment:${one.centerId}/${one.id}`;
      if (isRefused(one)) yield [name, 'contactnumber', 'is empty, so the row is in appointments-left-out.csv'];
      const then = appointmentRow(earlierAppointment(one), 'UTC');
      yield* changedCells('appointments', name, appointmentRow(one, 'UTC'), then);
    }
    for await (const one of allFeedback(store)) {
      const then = feedbackRow(earlierFeedback(one), 'UTC');
      yield* changedCells('feedback', `feedback:${one.id}`, feedbackRow(one, 'UTC'), then);
    }
  }

  const tables: readonly TableFile[] = [
    ...REFERENCE_TABLE_NAMES.map((name) => ({ table: name, rows: reference[name].map((row) => cellsOf(name, row)) })),
    { table: 'appointments', rows: appointments(false) },
    { table: 'appointments', name: 'appointments-left-out', rows: appointments(true) },
    { table: 'feedback', rows: feedback() },
  ];
  return [...tables.map(knownColumns), { name: 'changes', titles: ['Record', 'Column', 'Change'], rows: changes() }];
}

interface TableFile {
  readonly table: TableName;
  readonly name?: string;
  readonly rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>;
}

function knownColumns({ table, name = table, rows }: TableFile) {
  const titles = titlesOf(table);
  const known = (_: string, index: number): boolean => !UNKNOWN_TITLES.includes(titles[index] ?? '');
  const knownCells = async function* () {
    for await (const cells of rows) yield cells.filter(known);
  };
  return { name, titles: titles.filter(known), rows: knownCells() };
}

/** Without their values, which are patient data. */
const changedCells = <Name extends TableName>(
  table: Name,
  record: string,
  row: RowOfTable<Name>,
  then: RowOfTable<Name>,
) => differingColumns(table, row, [], then, row).map((title) => [record, title, 'is written otherwise, or emptied']);
