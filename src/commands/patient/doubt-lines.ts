import { CORRECTION } from '../../vocabulary/appointments.ts';
import { exactText, visibleText } from '../../vocabulary/text.ts';
import type { PersonData } from './find-person.ts';
import { capped, counted, listed, personLines, whoAre } from './person-report.ts';
import { appointmentName, recordName } from './record-name.ts';
import { REASONS, type Reason, type Unclear } from './unclear-record.ts';

/** What was found but is not certainly the person's, and how to include it: everything that may be stored about the person is mentioned. */
export function doubtLines(data: PersonData): readonly string[] {
  const { others, similarNumbers } = data;
  return [
    ...listed(
      'Not included, because it is not clear whose they are; --include adds one of them, --shared-phone all with the patient’s phones:',
      unclearLines(data),
    ),
    ...listed('Not included, because they do not match the options:', personLines(others)),
    ...listed(
      'Similar registration numbers, not included; to include one, add it with --registration:',
      capped(similarNumbers.map((key) => `"${exactText(key)}"`)),
    ),
    ...correctionLines(data),
  ];
}

/** Grouped by reason, because one reason may concern thousands of records. */
function unclearLines({ unclear: { appointments, feedback, messages } }: PersonData): readonly string[] {
  const records = [
    ...described(appointments, (row) => `${appointmentName(row)}, ${whoAre([row])}`),
    ...described(feedback, (row) => {
      const phone = row.mobile === null ? 'no phone' : `phone "${visibleText(row.mobile)}"`;
      return `${recordName('feedback', row)}, inpatient number ${exactText(row.ipno)}, ${phone}`;
    }),
    ...described(messages, (row) => `${recordName('message', row)} to ${row.mobile}`),
  ];
  const byReason = Map.groupBy(records, ({ reason }) => reason);
  return Object.entries(REASONS).flatMap(([reason, text]) =>
    capped(byReason.get(reason as Reason)?.map(({ what }) => `${what}: ${text}`) ?? []),
  );
}

const described = <Row>(records: readonly Unclear<Row>[], what: (row: Row) => string) =>
  records.map(({ row, reason }) => ({ reason, what: what(row) }));

/** The audit trail says that a booking was corrected, but not what it contained before. */
function correctionLines({ audit }: PersonData): readonly string[] {
  const corrected = new Set(
    audit.flatMap(({ moveName, centerId, appointmentId }) =>
      moveName === CORRECTION ? [`${centerId} ${appointmentId}`] : [],
    ),
  ).size;
  return corrected === 0
    ? []
    : [
        `${counted(corrected, 'appointment was', 'appointments were')} corrected after booking. An earlier phone is not stored; if you know one, give both it and the present one with --phone.`,
      ];
}
