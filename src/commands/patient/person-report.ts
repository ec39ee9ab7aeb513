import { UNKNOWN_SEX } from '../../rules/patient-fields.ts';
import { wallMinuteAt } from '../../rules/time-zone.ts';
import type { AppointmentRow, FeedbackRow, MessageRow } from '../../store/queries/patient-queries.ts';
import { LAST_HOLDING_STATUS } from '../../vocabulary/appointments.ts';
import { MessageStatus } from '../../vocabulary/messages.ts';
import { exactText, visibleText } from '../../vocabulary/text.ts';
import type { PersonData } from './find-person.ts';

export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The appointments that occupy a slot that has not ended yet. `zones`: IANA name by center; `now`: ms. */
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

/** The maximum number of lines of a list that a person would read. */
const MOST_LINES = 50;

/** The first lines of a list, and how many more there are. */
export const capped = (lines: readonly string[]): readonly string[] =>
  lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more`];

/** Lines indented below a title; nothing for an empty list. */
export const listed = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];

/** One line for each combination of name, number, phone and center: the patients to choose from. */
export function personLines(appointments: readonly AppointmentRow[]): readonly string[] {
  const groups = Map.groupBy(appointments, ({ name_key: name, registration_key: key, phone, center_id: center }) =>
    JSON.stringify([name, key, phone, center]),
  );
  return capped(
    [...groups.values()].map((rows) => `${whoAre(rows)}: ${counted(rows.length, 'appointment', 'appointments')}`),
  );
}

/**
 * How appointments with the same identity describe their patient. It lists every spelling of the name, every sex and age, because the
 * identity ignores titles.
 */
export function whoAre(rows: readonly AppointmentRow[]): string {
  const { registration_number: number, phone, center_id: center } = rows[0] as AppointmentRow;
  const each = (texts: readonly (string | null)[]) => [...new Set(texts.filter((text) => text !== null))];
  const sexes = each(rows.map(({ sex }) => (sex === UNKNOWN_SEX ? null : sex)));
  const details = [...sexes, ...each(rows.map(({ age_text: age }) => age))].map(visibleText);
  const names = each(rows.map(({ name }) => visibleText(name))).join(' / ');
  return [
    details.length === 0 ? names : `${names} (${details.join(', ')})`,
    number === null ? 'no registration number' : `registration number ${exactText(number.trim())}`,
    phone,
    `center ${center}`,
  ].join(', ');
}

/** Whose records a search found: its appointments, and the phones of feedback that was found by inpatient number. */
export const candidateLines = ({ appointments, inPatientPhones }: PersonData): readonly string[] => [
  ...personLines(appointments),
  ...[...inPatientPhones].map((phone) => `feedback with a named inpatient number, phone ${visibleText(phone)}`),
];

/** How much is stored. */
export function countLines(data: PersonData, coming: readonly AppointmentRow[]): readonly string[] {
  const { appointments, feedback, messages, answers, audit } = data;
  const centers = new Set(appointments.map(({ center_id: id }) => id)).size;
  return [
    `${counted(appointments.length, 'appointment', 'appointments')} in ${counted(centers, 'center', 'centers')}, ${coming.length} of them not over yet`,
    counted(feedback.length, 'feedback record', 'feedback records') + stays(feedback),
    `${counted(messages.length, 'message', 'messages')}, ${waitingOf(messages).length} of them still waiting`,
    `${counted(answers.length, 'answer', 'answers')} kept for repeated calls`,
    `${counted(audit.length, 'row', 'rows')} of the audit trail, which name nobody`,
  ];
}

/** Feedback that was found by its phone may be a relative's. The inpatient numbers show whose it is. */
function stays(feedback: readonly FeedbackRow[]): string {
  const numbers = new Set(feedback.map(({ ipno }) => exactText(ipno.trim())));
  if (numbers.size === 0) return '';
  return ` with inpatient ${numbers.size === 1 ? 'number' : 'numbers'} ${[...numbers].join(', ')}`;
}
