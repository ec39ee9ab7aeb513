import { wallMinuteAt } from '../../rules/zone-offset.ts';
import type { AppointmentRow, MessageRow } from '../../store/records/patient-records.ts';
import { LAST_HOLDING_STATUS } from '../../vocabulary/appointment-status.ts';
import { MessageStatus } from '../../vocabulary/message-status.ts';
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

/** Names as they were given, each spelling of a name once. */
export const namesOf = (appointments: readonly AppointmentRow[]): readonly string[] => [
  ...new Map(appointments.map(({ name, name_key: key }) => [key, name])).values(),
];

/** One line for each way that the person is registered. */
export function personLines(appointments: readonly AppointmentRow[]): readonly string[] {
  const groups = Map.groupBy(appointments, ({ name, registration_number: number, phone }) =>
    [name, number === null ? 'no registration number' : `registration number ${number.trim()}`, phone].join(', '),
  );
  return [...groups].map(
    ([who, rows]) =>
      `${who}: ${counted(rows.length, 'appointment', 'appointments')} in ${centersOf(rows, ({ length }) => (length === 1 ? 'center' : 'centers'))}`,
  );
}

const centersOf = (rows: readonly AppointmentRow[], word: (ids: readonly number[]) => string): string => {
  const ids = [...new Set(rows.map(({ center_id: id }) => id))];
  return `${word(ids)} ${ids.join(', ')}`;
};

/** What is held, in numbers. */
export function countLines(data: PersonData, coming: readonly AppointmentRow[]): readonly string[] {
  const { appointments, feedback, messages, answers, audit, leftOut } = data;
  const centers = new Set(appointments.map(({ center_id: id }) => id)).size;
  const left = [
    ...(leftOut.feedback > 0 ? [counted(leftOut.feedback, 'feedback', 'feedbacks')] : []),
    ...(leftOut.messages > 0 ? [counted(leftOut.messages, 'message', 'messages')] : []),
  ];
  return [
    `${counted(appointments.length, 'appointment', 'appointments')} in ${counted(centers, 'center', 'centers')}, ${coming.length} of them ahead`,
    counted(feedback.length, 'feedback', 'feedbacks'),
    `${counted(messages.length, 'message', 'messages')}, ${waitingOf(messages).length} of them still waiting`,
    `${counted(answers.length, 'answer', 'answers')} kept for calls that are sent again`,
    `${counted(audit.length, 'row', 'rows')} of the audit trail, which name nobody`,
    ...(left.length > 0
      ? [`Left out: ${left.join(' and ')}, whose phone other patients have too; --shared-phone takes them as well.`]
      : []),
  ];
}
