import { asciiDigits, nationalNumber, toE164 } from '../../rules/phone.ts';
import type { Config } from '../../settings/config.ts';
import { allOf } from '../../store/queries/export-queries.ts';
import type { FeedbackRow, MessageRow } from '../../store/queries/patient-queries.ts';
import type { Queries } from '../../store/store.ts';
import { nameKey } from '../../vocabulary/patients.ts';
import { allFeedback, inPatientKey, type PatientSearch } from './find-records.ts';
import { type PatientRecords, recordLines } from './patient-records.ts';

/** The values of these records, for the texts of others that mention them. */
export const searchOf = (
  { appointments, feedback, messages }: PatientRecords,
  { hospital: { phoneRegion } }: Config,
): PatientSearch => {
  const present = (values: readonly (string | null | undefined)[]) => new Set(values.filter((value) => value != null));
  return {
    registrationKeys: present(appointments.map((row) => row.registration_key)),
    phones: present([
      ...appointments.map(({ phone }) => phone),
      ...feedback.map(({ mobile }) => toE164(mobile ?? '', phoneRegion)),
      ...messages.map(({ mobile }) => mobile),
    ]),
    nameKeys: present(appointments.map((row) => row.name_key)),
    inPatientKeys: present(feedback.map((row) => inPatientKey(row.inpatient_number))),
  };
};

/** Shorter ones are in too many texts. */
const LEAST_LETTERS = 3;

/** Letters and digits in capitals, with one space between words and around them. */
const wordsOf = (text: string): string =>
  ` ${text
    .toUpperCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

/** Whether a text holds one of the names or numbers. */
function mentions({ registrationKeys, phones, nameKeys, inPatientKeys }: PatientSearch) {
  const names = [...nameKeys].filter((name) => name.length >= LEAST_LETTERS);
  const numbers = [...registrationKeys, ...inPatientKeys]
    .map(wordsOf)
    .filter((words) => words.length >= LEAST_LETTERS + 2);
  const national = [...phones].map(nationalNumber);
  return (text: string | null): boolean => {
    if (text === null) return false;
    const [letters, words, digits] = [nameKey(text), wordsOf(text), asciiDigits(text).replace(/\D+/g, '')];
    return (
      names.some((name) => letters.includes(name)) ||
      numbers.some((number) => words.includes(number)) ||
      national.some((number) => digits.includes(number))
    );
  };
}

/**
 * The records of somebody else, with a line for each, whose text holds a name or number of the patient: only a person can tell what it is about. Reads
 * all feedback and messages.
 */
export async function findUnclear({ patients }: Queries, search: PatientSearch, found: PatientRecords) {
  const isMention = mentions(search);
  const known = (rows: readonly { readonly id: number }[]) => new Set(rows.map(({ id }) => id));
  const [knownFeedback, knownMessages] = [known(found.feedback), known(found.messages)];
  const feedback: FeedbackRow[] = [];
  const messages: MessageRow[] = [];
  for await (const row of allFeedback(patients)) {
    if (!knownFeedback.has(row.id) && isMention(row.comment)) feedback.push(row);
  }
  for await (const row of allOf(({ id }: Pick<MessageRow, 'id'>) => patients.messagesAfter(id), { id: 0 })) {
    if (!knownMessages.has(row.id) && isMention(row.text)) messages.push(row);
  }
  const records = { appointments: [], feedback, messages };
  const lines = recordLines(records).map((line) => `  ${line}`);
  const title = 'Unclear, because their texts hold the name or a number; read them, and name those about the patient:';
  return { records, lines: lines.length === 0 ? [] : [title, ...lines] };
}
