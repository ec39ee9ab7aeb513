import { Option } from 'commander';
import { readPatient } from '../../appointments/read-patient.ts';
import { allowEachOther } from '../../appointments/require-seat.ts';
import { isSamePatient } from '../../appointments/same-patient.ts';
import { appointmentRow } from '../../reference/record-rows.ts';
import { TABLES } from '../../reference/tables.ts';
import type { Config } from '../../settings/config.ts';
import type { AuditEntry } from '../../store/queries/audit-queries.ts';
import type { AppointmentRow } from '../../store/queries/patient-queries.ts';
import { recordIn } from '../../store/queries/record-columns.ts';
import type { Queries } from '../../store/store.ts';
import { LAST_HOLDING_STATUS } from '../../vocabulary/appointments.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { Refusal } from '../../vocabulary/result-codes.ts';
import {
  APPOINTMENT_FIELDS,
  PATIENT_FIELDS,
  type PatientParameter,
  type StoredAppointment,
} from '../../vocabulary/stored-records.ts';
import { visibleText } from '../../vocabulary/text.ts';
import { UsageError } from '../command-host.ts';
import { grouped, type PatientRecords, recordLines } from './patient-records.ts';

/** What can be corrected: the parameter of a booking for each option. The texts of the page for the patient have the options as keys. */
export const DETAILS = {
  name: 'Name',
  title: 'title',
  sex: 'Sex',
  age: 'Age',
  area: 'area',
  phone: 'contactnumber',
  email: 'email',
  registration: 'RegistrationNumber',
} as const satisfies Readonly<Record<string, PatientParameter>>;

const OPTIONS = Object.entries(DETAILS);

export type DetailFlags = { readonly [Name in keyof typeof DETAILS]?: string };

/** An option for each detail. Its value is as long as a booking's at most. */
export const detailOptions = (): readonly Option[] =>
  OPTIONS.map(([name, parameter]) => {
    const type = TABLES.appointments.columns[parameter]?.type;
    return new Option(
      `--${name} <text>`,
      `the right ${parameter}, as in a booking${name === 'name' ? '' : '; "" for none'}`,
    ).argParser((text) => {
      if (type?.read(text) === undefined) throw new UsageError(`--${name}: expected ${type?.expected}.`);
      return text;
    });
  });

/** An appointment as it is stored, as it should be, and the parameters in which the two differ. */
interface Correction {
  readonly before: StoredAppointment;
  readonly after: StoredAppointment;
  readonly parameters: readonly PatientParameter[];
}

const nameOf = ({ centerId, id }: Pick<StoredAppointment, 'centerId' | 'id'>): string =>
  `appointment:${centerId}/${id}`;

/** What a parameter of a booking would have to be for what is stored. */
const sentFor = (appointment: StoredAppointment, parameter: PatientParameter): string =>
  appointmentRow(appointment, 'UTC')[parameter] ?? '';

/**
 * The appointments with the details that a booking would have stored at the time, and the others as they are. Throws UsageError for a value that
 * a booking would be refused for, and ServiceError for an appointment whose patient was erased.
 */
export async function correctionsOf(
  queries: Queries,
  { appointments, feedback, messages }: PatientRecords,
  flags: DetailFlags,
  { hospital: { phoneRegion } }: Config,
): Promise<readonly Correction[]> {
  if (feedback.length + messages.length > 0)
    throw new UsageError('Expected appointments only, such as appointment:1/12.');
  const given = OPTIONS.filter(([option]) => flags[option as keyof DetailFlags] !== undefined);
  if (given.length === 0) throw new UsageError(`Expected ${OPTIONS.map(([option]) => `--${option}`).join(' or ')}.`);
  const sent = Object.fromEntries(given.map(([option, parameter]) => [parameter, flags[option as keyof DetailFlags]]));
  const reference = await queries.reference();
  return appointments.flatMap((row) => {
    const before = recordIn(APPOINTMENT_FIELDS, row);
    if (before.name === null)
      throw new ServiceError('InvalidValue', `The patient of ${nameOf(before)} was erased; nothing was corrected.`);
    const region = reference.center(before.centerId)?.phoneRegion ?? phoneRegion;
    const read = readGiven({ Name: before.name, ...sent }, region, before.createdOn);
    const fields = Object.entries(PATIENT_FIELDS).filter(([, { csv }]) => csv in sent);
    const after = { ...before, ...Object.fromEntries(fields.map(([name]) => [name, read[name as keyof typeof read]])) };
    const parameters = given
      .map(([, parameter]) => parameter)
      .filter((name) => sentFor(before, name) !== sentFor(after, name));
    return parameters.length === 0 ? [] : [{ before, after, parameters }];
  });
}

function readGiven(...booking: Parameters<typeof readPatient>) {
  try {
    return readPatient(...booking);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [option] = OPTIONS.find(([, parameter]) => parameter === error.parameter) ?? [];
    throw new UsageError(error.message.replace(/^Parameter \w+/, `--${option}`));
  }
}

/** One line for each value that changes, with the appointments in which it does. */
export const correctionLines = (corrections: readonly Correction[]): readonly string[] =>
  grouped(
    corrections.flatMap(({ before, after, parameters }) =>
      parameters.map((parameter) => ({ before, after, parameter })),
    ),
    ({ before, after, parameter }) =>
      `${parameter} "${visibleText(sentFor(before, parameter))}" becomes "${visibleText(sentFor(after, parameter))}"`,
    ({ before }) => nameOf(before),
  );

const atSameTime = (a: StoredAppointment, b: StoredAppointment): boolean =>
  Math.max(a.status, b.status) <= LAST_HOLDING_STATUS && a.startsAt < b.endsAt && b.startsAt < a.endsAt;

/** The appointments whose patients a correction makes the same as another's, those of them at one time, and those that it leaves behind. */
export async function othersOf(queries: Queries, corrections: readonly Correction[]) {
  const reference = await queries.reference();
  const keys = corrections.flatMap(({ before, after }) => [before.nameKey ?? [], after.nameKey ?? []].flat());
  const corrected = new Map(corrections.map(({ before, after }) => [nameOf(before), after]));
  const [joined, overlapping, left] = [new Set<AppointmentRow>(), new Set<AppointmentRow>(), new Set<AppointmentRow>()];
  for (const row of await queries.patients.appointmentsWith([], [], [...new Set(keys)])) {
    const other = recordIn(APPOINTMENT_FIELDS, row);
    const then = corrected.get(nameOf(other)) ?? other;
    for (const { before, after } of corrections) {
      if (before.centerId !== other.centerId || before.id === other.id) continue;
      const [was, is] = [isSamePatient(before, other), isSamePatient(after, then)];
      if (is && !was) joined.add(row);
      if (is && !was && atSameTime(after, other) && !allowEachOther(reference, after, other)) overlapping.add(row);
      if (was && !is) left.add(row);
    }
  }
  return { joined: [...joined], overlapping: [...overlapping], left: [...left] };
}

type Others = Awaited<ReturnType<typeof othersOf>>;

/** Throws ServiceError if the correction makes one patient of two. */
export function requireApart({ joined, overlapping }: Others): void {
  if (joined.length === 0) return;
  const names = (rows: readonly AppointmentRow[]) =>
    rows.map(({ center_id: centerId, id }) => nameOf({ centerId, id })).join(' ');
  const also = overlapping.length === 0 ? '' : `, at the same time as ${names(overlapping)}`;
  throw new ServiceError(
    'InvalidValue',
    `The patient would then be that of ${names(joined)}${also}. If that is right, add --same-patient; nothing was changed.`,
  );
}

const titled = (title: string, appointments: readonly AppointmentRow[]): readonly string[] =>
  appointments.length === 0
    ? []
    : [title, ...recordLines({ appointments, feedback: [], messages: [] }).map((line) => `  ${line}`)];

export const otherLines = ({ joined, overlapping, left }: Others): readonly string[] => [
  ...titled('The same patient from now on:', joined),
  ...titled('At the same time; ask the patient which one to cancel:', overlapping),
  ...titled('The same patient until now; name those, too, that need the correction:', left),
];

/** The operation and the move of the audit rows. */
export const CORRECTION = 'Correct';

/** Stores the details, with one audit row per appointment, which is the given one with its id. Must run within one write. */
export async function correctRecords(
  { patients, audit }: Queries,
  corrections: readonly Correction[],
  row: AuditEntry,
): Promise<void> {
  for (const { after, parameters } of corrections) {
    const { centerId, id: appointmentId, doctorId } = after;
    await patients.correctAppointment({ ...after, now: row.recordedOn });
    await audit.add({ ...row, centerId, appointmentId, doctorId, moveName: CORRECTION, corrected: parameters.join() });
  }
}
