import { wallMinuteAt } from '../../rules/zone-offset.ts';
import type { AppointmentRow, MessageRow } from '../../store/records/patient-records.ts';
import { LAST_HOLDING_STATUS } from '../../vocabulary/appointment-status.ts';
import { MessageStatus } from '../../vocabulary/message-status.ts';
import { exactText, visibleText } from '../../vocabulary/visible-text.ts';
import type { PersonData } from './find-person.ts';

export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The appointments that hold a slot that has not ended yet. `zones`: IANA name by center; `now`: ms. */
export const comingOf = (
  appointments: readonly AppointmentRow[],
  zones: ReadonlyMap<number, string>,
  now: number,
): readonly AppointmentRow[] =>
  appointments.filter(
    ({ center_id: center, status, ends_at: end }) =>
      status <= LAST_HOLDING_STATUS && end > wallMinuteAt(now, zones.get(center) ?? 'UTC'),
  );

export const waitingOf = (messages: readonly MessageRow[]): readonly MessageRow[] =>
  messages.filter(({ status }) => status === MessageStatus.Queued || status === MessageStatus.Sending);

/** One line for each combination of name, number, phone and center: the patients to choose from. */
export function personLines(appointments: readonly AppointmentRow[]): readonly string[] {
  const groups = Map.groupBy(appointments, ({ name_key: name, registration_key: key, phone, center_id: center }) =>
    JSON.stringify([name, key, phone, center]),
  );
  return [...groups.values()].map(
    (rows) => `${whoIs(rows[0] as AppointmentRow)}: ${counted(rows.length, 'appointment', 'appointments')}`,
  );
}

export const whoIs = ({ name, registration_number: number, phone, center_id: center }: AppointmentRow): string =>
  [
    visibleText(name),
    number === null ? 'no registration number' : `registration number ${exactText(number.trim())}`,
    phone,
    `center ${center}`,
  ].join(', ');

/** Whose records a search found: its appointments, and the phones of feedback that was found by in-patient number. */
export const candidateLines = ({ appointments, inPatientPhones }: PersonData): readonly string[] => [
  ...personLines(appointments),
  ...[...inPatientPhones].map((phone) => `feedback with a named in-patient number, phone ${visibleText(phone)}`),
];

/** What is held, in numbers. */
export function countLines(data: PersonData, coming: readonly AppointmentRow[]): readonly string[] {
  const { appointments, feedback, messages, answers, audit } = data;
  const centers = new Set(appointments.map(({ center_id: id }) => id)).size;
  return [
    `${counted(appointments.length, 'appointment', 'appointments')} in ${counted(centers, 'center', 'centers')}, ${coming.length} of them ahead`,
    counted(feedback.length, 'feedback', 'feedbacks'),
    `${counted(messages.length, 'message', 'messages')}, ${waitingOf(messages).length} of them still waiting`,
    `${counted(answers.length, 'answer', 'answers')} kept for calls that are sent again`,
    `${counted(audit.length, 'row', 'rows')} of the audit trail, which name nobody`,
  ];
}
