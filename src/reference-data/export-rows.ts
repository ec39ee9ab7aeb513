import { statusText } from '../rules/next-status.ts';
import { formatClock, formatWallDay, minuteOfDay } from '../rules/wall-minute.ts';
import { wallSecondTextAt } from '../rules/zone-offset.ts';
import { BEFORE_FIRST } from '../store/records/export-records.ts';
import type { Store } from '../store/store.ts';
import { fileRowsOf } from './file-rows.ts';
import { doctorRowKey, type HospitalState, readHospitalState } from './hospital-state.ts';
import { cellsOf, TABLES, type TableName, titlesOf } from './tables.ts';

/** A file of an export: its first row and the others. */
export interface ExportedFile {
  /** Without ending. */
  readonly name: string;
  readonly titles: readonly string[];
  readonly rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>;
}

const APPOINTMENTS = 'appointments';
const FEEDBACK = 'feedback';

/** Everything that can be exported. */
export const EXPORTS: readonly string[] = [...TABLES.map(({ name }) => name), APPOINTMENTS, FEEDBACK];

/** The files named, of EXPORTS. `timeZone` is the zone of times that belong to no center. */
export async function exportRows(store: Store, names: readonly string[], timeZone: string): Promise<ExportedFile[]> {
  const state = await store.read(readHospitalState);
  const rows = fileRowsOf(state);
  const tableFile = <Name extends TableName>(name: Name): ExportedFile => ({
    name,
    titles: titlesOf(name),
    rows: rows[name].map((row) => cellsOf(name, row)),
  });
  const files = [
    ...TABLES.map(({ name }) => tableFile(name)),
    { name: APPOINTMENTS, titles: APPOINTMENT_TITLES, rows: appointmentRows(store, state, timeZone) },
    { name: FEEDBACK, titles: FEEDBACK_TITLES, rows: feedbackRows(store, timeZone) },
  ];
  return files.filter(({ name }) => names.includes(name));
}

/** The contract's names, and two for what it never tells. */
const APPOINTMENT_TITLES = [
  'AppointmentID',
  'centerid',
  'DoctorID',
  'DoctorName',
  'appdate',
  'apptime',
  'TokenNo',
  'Status',
  'StatusText',
  'RescheduleCount',
  'RegistrationNumber',
  'title',
  'Name',
  'Sex',
  'Age',
  'area',
  'contactnumber',
  'email',
  'CreatedOn',
  'UpdatedOn',
];

async function* appointmentRows(store: Store, { centers, doctors }: HospitalState, timeZone: string) {
  const zones = new Map(centers.map((center) => [center.id, center.timeZone]));
  const names = new Map(doctors.map(({ centerId, id, name }) => [doctorRowKey(centerId, id), name]));
  for (let last = BEFORE_FIRST; ; ) {
    const page = await store.read(({ exports }) => exports.appointmentsAfter(last));
    if (page.length === 0) return;
    for (const a of page) {
      const zone = zones.get(a.centerId) ?? timeZone;
      yield [
        `${a.id}`,
        `${a.centerId}`,
        `${a.doctorId}`,
        names.get(doctorRowKey(a.centerId, a.doctorId)) ?? '',
        formatWallDay(a.startsAt),
        formatClock(minuteOfDay(a.startsAt)),
        `${a.tokenNo}`,
        `${a.status}`,
        statusText(a.status),
        `${a.rescheduleCount}`,
        a.registrationNumber ?? '',
        a.title ?? '',
        a.name,
        a.sex,
        a.ageText ?? '',
        a.area ?? '',
        a.phone,
        a.email ?? '',
        wallSecondTextAt(a.createdOn, zone),
        wallSecondTextAt(a.updatedOn, zone),
      ];
      last = a;
    }
  }
}

const FEEDBACK_TITLES = ['FeedbackID', 'ipno', 'roomno', 'moblieno', 'dept', 'needsimprovementcommit', 'ReceivedOn'];

async function* feedbackRows(store: Store, timeZone: string) {
  for (let last = 0; ; ) {
    const page = await store.read(({ exports }) => exports.feedbackAfter(last));
    if (page.length === 0) return;
    for (const f of page) {
      const { ipno, roomno, mobile, dept, comment } = f;
      const on = wallSecondTextAt(f.receivedOn, timeZone);
      yield [`${f.id}`, ipno, roomno ?? '', mobile ?? '', dept ?? '', comment ?? '', on];
      last = f.id;
    }
  }
}
