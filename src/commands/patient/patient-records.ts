import { statusText } from '../../appointments/next-status.ts';
import { UNKNOWN_SEX } from '../../appointments/read-patient.ts';
import { isSamePatient } from '../../appointments/same-patient.ts';
import type { AuditEntry, AuditEvent, AuditSubject } from '../../store/queries/audit-queries.ts';
import { ERASURE, shownRecord } from '../../store/queries/audit-queries.ts';
import { allOf } from '../../store/queries/export-queries.ts';
import type { AppointmentRow, FeedbackRow, KeptAnswerRow, MessageRow } from '../../store/queries/patient-queries.ts';
import { recordIn } from '../../store/queries/record-columns.ts';
import type { Queries } from '../../store/store.ts';
import { LAST_HOLDING_STATUS } from '../../vocabulary/appointments.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { ERASED_NAME } from '../../vocabulary/patients.ts';
import { APPOINTMENT_FIELDS } from '../../vocabulary/stored-records.ts';
import { exactText, quantity, visibleText } from '../../vocabulary/text.ts';
import { wallMinuteAt } from '../../vocabulary/time-zone.ts';
import { formatWallMinute } from '../../vocabulary/wall-minute.ts';
import { UsageError } from '../command-host.ts';
import { readableRow } from '../readable-rows.ts';

export interface PatientRecords {
  readonly appointments: readonly AppointmentRow[];
  readonly feedback: readonly FeedbackRow[];
  readonly messages: readonly MessageRow[];
}

/** For the help of commands. */
export const RECORDS =
  'as patient find lists them: appointment:1/12 (center 1, AppointmentID 12), feedback:7, message:5';

/** As many ids of a kind as both databases accept in a statement. */
const MOST_RECORDS = 1000;

const NAME = /^(?:appointment:(?<center>-?\d{1,10})\/(?<id>\d{1,10})|(?<kind>feedback|message):(?<number>\d{1,10}))$/;

/**
 * What these names mean, each once: `appointment:1/12`, with its center because two centers may use the same number, `feedback:7` or
 * `message:5`. Throws UsageError for anything else.
 */
export function subjectsNamed(names: readonly string[]): readonly AuditSubject[] {
  if (names.length > MOST_RECORDS) throw new UsageError(`Expected at most ${MOST_RECORDS} records at once.`);
  return [...new Set(names)].map((name) => {
    const { center, id, kind, number } = NAME.exec(name)?.groups ?? {};
    if (kind === 'feedback') return { feedbackId: Number(number) };
    if (kind === 'message') return { messageId: Number(number) };
    if (id !== undefined) return { centerId: Number(center), appointmentId: Number(id) };
    throw new UsageError(`${name}: expected a record such as appointment:1/12, feedback:7 or message:5.`);
  });
}

/** The records with these names. Throws as `subjectsNamed` does, and ServiceError if one is not stored. */
export async function recordsNamed(
  { messageList, patients }: Queries,
  names: readonly string[],
): Promise<PatientRecords> {
  const appointments: AppointmentRow[] = [];
  const feedback: FeedbackRow[] = [];
  const messages: MessageRow[] = [];
  const addTo = <Row>(rows: Row[], name: string, row: Row | undefined) => {
    if (row === undefined) throw new ServiceError('InvalidValue', `${name} is not stored; nothing was done.`);
    rows.push(row);
  };
  for (const { centerId = 0, appointmentId, feedbackId, messageId = 0 } of subjectsNamed(names)) {
    if (appointmentId !== undefined) {
      const name = `appointment:${centerId}/${appointmentId}`;
      addTo(appointments, name, await patients.appointment({ centerId, id: appointmentId }));
    } else if (feedbackId !== undefined)
      addTo(feedback, `feedback:${feedbackId}`, await patients.feedback({ id: feedbackId }));
    else addTo(messages, `message:${messageId}`, await messageList.show({ id: messageId }));
  }
  return { appointments, feedback, messages };
}

/** The records as the audit trail names them. */
export const subjectsOf = ({ appointments, feedback, messages }: PatientRecords): readonly AuditSubject[] => [
  ...appointments.map(({ center_id: centerId, id: appointmentId }) => ({ centerId, appointmentId })),
  ...feedback.map(({ id: feedbackId }) => ({ feedbackId })),
  ...messages.map(({ id: messageId }) => ({ messageId })),
];

/** The records for programs: their names, and the columns of their rows. What is read in feedback and messages, only an export has. */
export function recordRows({ appointments, feedback, messages }: PatientRecords) {
  const rows = [
    ...appointments.map((row) => ({ record: `appointment:${row.center_id}/${row.id}`, ...row })),
    ...feedback.map(({ comment: _, ...row }) => ({ record: `feedback:${row.id}`, ...row })),
    ...messages.map(({ text: _, ...row }) => ({ record: `message:${row.id}`, ...row })),
  ];
  return rows.map(readableRow);
}

/** One line for all records of one patient that say the same: what tells the patients apart, and the names of the records. */
export function recordLines({ appointments, feedback, messages }: PatientRecords): readonly string[] {
  return [
    ...[...Map.groupBy(appointments, identityOf).values()].flatMap((rows) => grouped(rows, patientOf, visitOf)),
    ...grouped(feedback, inPatientOf, ({ id }) => `feedback:${id}`),
    ...grouped(
      messages,
      ({ mobile }) => `messages to ${mobile ?? ERASED_NAME}`,
      ({ id }) => `message:${id}`,
    ),
  ];
}

export const grouped = <Row>(rows: readonly Row[], describe: (row: Row) => string, nameOf: (row: Row) => string) =>
  [...Map.groupBy(rows, describe)].map(([description, group]) => `${description}: ${group.map(nameOf).join(' ')}`);

/** All that is shown of a patient, exactly. One who would not be recognized, because nothing identifies him or her, is each time another. */
function identityOf({ center_id: centerId, id, ...row }: AppointmentRow): string {
  const patient = recordIn(APPOINTMENT_FIELDS, { ...row, center_id: centerId, id });
  const { title, name, sex, sexText, ageText, registrationNumber, phone, area, email } = patient;
  const said = [title, name, sex, sexText, ageText, registrationNumber, phone, area, email];
  return JSON.stringify([centerId, ...(isSamePatient(patient, patient) ? said : [id])]);
}

function patientOf({ name, sex, registration_number: number, ...row }: AppointmentRow) {
  const shown = (texts: readonly (string | null)[]) => texts.flatMap((text) => text ?? []).map(visibleText);
  const details = shown([row.title, row.sex_text ?? (sex === UNKNOWN_SEX ? null : sex), row.age_text]);
  const who = visibleText(name ?? ERASED_NAME);
  return [
    details.length === 0 ? who : `${who} (${details.join(', ')})`,
    number === null ? 'no registration number' : `registration number "${exactText(number)}"`,
    row.phone ?? 'no phone',
    ...shown([row.area, row.email]),
    `center ${row.center_id}`,
  ].join(', ');
}

function visitOf({ center_id: center, id, start_wall_minute: start, doctor_id: doctor, status }: AppointmentRow) {
  const when = formatWallMinute(start).replace('T', ' ').slice(0, 16);
  return `appointment:${center}/${id} (${when}, doctor ${doctor}, ${statusText(status)})`;
}

const inPatientOf = ({ inpatient_number: number, mobile }: FeedbackRow): string =>
  `feedback with inpatient number "${exactText(number ?? ERASED_NAME)}", ${mobile === null ? 'no phone' : `phone "${visibleText(mobile)}"`}`;

export type AboutRecords = Awaited<ReturnType<typeof aboutRecords>>;

/** The answers kept for repeated calls that are about these records, and the audit rows, in which the records of others are left out. */
export async function aboutRecords(queries: Queries, records: PatientRecords) {
  const subjects = subjectsOf(records);
  const names = new Set(subjects.map(shownRecord));
  const answers: KeptAnswerRow[] = [];
  // An answer is about a record if its id is in it.
  for await (const row of allOf(queries.patients.answersAfter, { key: '' })) {
    const { centerid, AppointmentID, FeedbackID, SMSID } = JSON.parse(row.answer ?? '{}');
    const ids = { centerId: centerid, appointmentId: AppointmentID, feedbackId: FeedbackID, messageId: SMSID };
    if (names.has(shownRecord(ids))) answers.push(row);
  }
  const audit = (await queries.audit.ofRecords(subjects, {})).map((event): AuditEvent => {
    const shown = event.shown?.split(' ').filter((name) => names.has(name)) ?? [];
    return { ...event, shown: shown.join(' ') || null };
  });
  return { answers, audit };
}

/** Throws ServiceError if one of the appointments holds a slot that has not ended yet. `now`: ms. */
export async function requireOver(queries: Queries, { appointments }: PatientRecords, now: number) {
  const reference = await queries.reference();
  const coming: string[] = [];
  for (const { center_id: centerId, id, status, end_wall_minute: end } of appointments) {
    const zone = reference.center(centerId)?.timeZone ?? 'UTC';
    if (status <= LAST_HOLDING_STATUS && end > wallMinuteAt(now, zone)) coming.push(`${id} of center ${centerId}`);
  }
  if (coming.length === 0) return;
  const are = quantity(coming.length, 'appointment is', 'appointments are');
  const advice = 'Cancel first, or add --also-coming; nothing was erased.';
  throw new ServiceError('InvalidValue', `${are} not over yet: ${coming.join(', ')}. ${advice}`);
}

/**
 * Removes what identifies the patient, with one audit row per record, which is the given one with its id. Slots, statuses and counts stay.
 * Returns how many messages were cancelled. Must run within one write.
 */
export async function eraseRecords(
  { patients, audit }: Queries,
  { appointments, feedback, messages }: PatientRecords,
  answers: readonly KeptAnswerRow[],
  row: AuditEntry,
): Promise<number> {
  const { recordedOn: now } = row;
  const note = (subject: AuditSubject & { readonly moveName?: string }) => audit.add({ ...row, ...subject });
  for (const { center_id: centerId, id: appointmentId, doctor_id: doctorId } of appointments) {
    await patients.eraseAppointment({ centerId, id: appointmentId, now });
    await note({ centerId, appointmentId, doctorId, moveName: ERASURE });
  }
  for (const { id } of feedback) {
    await patients.eraseFeedback({ id, now });
    await note({ feedbackId: id });
  }
  let cancelled = 0;
  for (const { id } of messages) {
    if (await patients.eraseMessage({ id, now })) cancelled++;
    await note({ messageId: id });
  }
  for (const { key } of answers) await patients.eraseAnswer({ key });
  return cancelled;
}
