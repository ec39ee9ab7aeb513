import { UNKNOWN_SEX } from '../../rules/patient-fields.ts';
import type { AuditEvent } from '../../store/queries/audit-queries.ts';
import type { AppointmentRow, FeedbackRow, KeptAnswerRow, MessageRow } from '../../store/queries/patient-queries.ts';
import type { Queries } from '../../store/store.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { ERASED_NAME } from '../../vocabulary/patients.ts';
import { exactText, visibleText } from '../../vocabulary/text.ts';
import { UsageError } from '../command-host.ts';

export interface PatientRecords {
  readonly appointments: readonly AppointmentRow[];
  readonly feedback: readonly FeedbackRow[];
  readonly messages: readonly MessageRow[];
}

/** As many ids of a kind as both databases accept in a statement. */
const MOST_RECORDS = 1000;

const NAME = /^(?:appointment:(?<center>-?\d{1,10})\/(?<id>\d{1,10})|(?<kind>feedback|message):(?<number>\d{1,10}))$/;

/**
 * The records with these names, each once: `appointment:1/12`, with its center because two centers may use the same number, `feedback:7` or
 * `message:5`. Throws UsageError for anything else, and ServiceError if one is not stored.
 */
export async function recordsNamed({ patients }: Queries, names: readonly string[]): Promise<PatientRecords> {
  const appointments: AppointmentRow[] = [];
  const feedback: FeedbackRow[] = [];
  const messages: MessageRow[] = [];
  const addTo = <Row>(rows: Row[], name: string, row: Row | undefined) => {
    if (row === undefined) throw new ServiceError('InvalidValue', `${name} is not stored; nothing was done.`);
    rows.push(row);
  };
  if (names.length > MOST_RECORDS) throw new UsageError(`Expected at most ${MOST_RECORDS} records at once.`);
  for (const name of new Set(names)) {
    const parts = NAME.exec(name)?.groups;
    if (parts === undefined) {
      throw new UsageError(`${name}: expected a record such as appointment:1/12, feedback:7 or message:5.`);
    }
    const { center, id, kind, number } = parts;
    if (kind === 'feedback') addTo(feedback, name, await patients.feedback(Number(number)));
    else if (kind === 'message') addTo(messages, name, await patients.message(Number(number)));
    else addTo(appointments, name, await patients.appointment(Number(center), Number(id)));
  }
  return { appointments, feedback, messages };
}

/** The maximum number of lines of a list that a person would read. */
const MOST_LINES = 50;

/** The first lines of a list, and how many more there are. */
export const capped = (lines: readonly string[]): readonly string[] =>
  lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more`];

/** One line for all records that say the same about their patient: what tells the patients apart, and the names of the records. */
export function recordLines({ appointments, feedback, messages }: PatientRecords): readonly string[] {
  return [
    ...grouped(appointments, patientOf, ({ center_id: center, id }) => `appointment:${center}/${id}`),
    ...grouped(feedback, inPatientOf, ({ id }) => `feedback:${id}`),
    ...grouped(
      messages,
      ({ mobile }) => `messages to ${mobile ?? ERASED_NAME}`,
      ({ id }) => `message:${id}`,
    ),
  ];
}

function grouped<Row>(rows: readonly Row[], describe: (row: Row) => string, nameOf: (row: Row) => string) {
  const groups = [...Map.groupBy(rows, describe)];
  return capped(groups.map(([description, group]) => `${description}: ${group.map(nameOf).join(' ')}`));
}

function patientOf({
  name,
  sex,
  age_text: age,
  registration_number: number,
  phone,
  center_id: center,
}: AppointmentRow) {
  const details = [sex === UNKNOWN_SEX ? null : sex, age].filter((detail) => detail !== null).map(visibleText);
  const who = visibleText(name ?? ERASED_NAME);
  return [
    details.length === 0 ? who : `${who} (${details.join(', ')})`,
    number === null ? 'no registration number' : `registration number "${exactText(number)}"`,
    phone ?? 'no phone',
    `center ${center}`,
  ].join(', ');
}

const inPatientOf = ({ inpatient_number: number, mobile }: FeedbackRow): string =>
  `feedback with inpatient number "${exactText(number ?? ERASED_NAME)}", ${mobile === null ? 'no phone' : `phone "${visibleText(mobile)}"`}`;

export interface AboutRecords {
  readonly answers: readonly KeptAnswerRow[];
  readonly audit: readonly AuditEvent[];
}

export async function aboutRecords(queries: Queries, records: PatientRecords): Promise<AboutRecords> {
  const { appointments, feedback, messages } = records;
  const keyOf = (centerId: unknown, id: unknown): string => `${centerId}/${id}`;
  const ofAppointment = new Set(appointments.map(({ center_id: center, id }) => keyOf(center, id)));
  const ofFeedback = new Set<unknown>(feedback.map(({ id }) => id));
  const ofMessage = new Set<unknown>(messages.map(({ id }) => id));
  return { answers: await keptAnswers(), audit: await auditEvents() };

  /** Answers kept for repeated calls, which are about a record if its id is in them. */
  async function keptAnswers(): Promise<readonly KeptAnswerRow[]> {
    const found: KeptAnswerRow[] = [];
    for (let page = await queries.patients.answersAfter(''); page.length > 0; ) {
      for (const row of page) {
        const { centerid, AppointmentID, FeedbackID, SMSID } = JSON.parse(row.answer ?? '{}');
        const isAbout =
          ofAppointment.has(keyOf(centerid, AppointmentID)) || ofFeedback.has(FeedbackID) || ofMessage.has(SMSID);
        if (isAbout) found.push(row);
      }
      page = await queries.patients.answersAfter(page.at(-1)?.key ?? '');
    }
    return found;
  }

  async function auditEvents(): Promise<readonly AuditEvent[]> {
    const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
    const events = await queries.patients.auditOf(ids(appointments), ids(feedback), ids(messages));
    // Another center may have an appointment with the same number.
    return events.filter(({ centerId, appointmentId: id }) => id === null || ofAppointment.has(keyOf(centerId, id)));
  }
}
