import type { Config } from '../../settings/config.ts';
import { allOf } from '../../store/queries/export-queries.ts';
import type { FeedbackRow, MessageRow } from '../../store/queries/patient-queries.ts';
import type { Queries } from '../../store/store.ts';
import { nameKey, registrationKey } from '../../vocabulary/patients.ts';
import { nationalNumber, toE164 } from '../../vocabulary/phone.ts';
import { asciiDigits } from '../../vocabulary/text.ts';
import { UsageError } from '../command-host.ts';
import { type PatientRecords, recordLines } from './patient-records.ts';

export type SearchFlags = Readonly<Record<'registration' | 'phone' | 'name' | 'ipno', readonly string[]>>;

/**
 * Values of one patient. No value identifies a person: a family shares a phone, a registration number may be missing, mistyped or made up,
 * and a message has only a phone. So a search finds every record that has any of the values, and the operator says whose it is.
 */
interface PatientSearch {
  readonly registrationKeys: ReadonlySet<string>;
  /** E.164. */
  readonly phones: ReadonlySet<string>;
  readonly nameKeys: ReadonlySet<string>;
  readonly inPatientKeys: ReadonlySet<string>;
}

/** Reads a phone, in E.164, as in each country whose numbers are stored: that of the setting, and those of centers. */
async function phonesReader({ referenceTables }: Queries, { hospital: { phoneRegion } }: Config) {
  const centers = await referenceTables.rows('center');
  const regions = new Set([phoneRegion, ...centers.flatMap((center) => center.phoneRegion ?? [])]);
  return (text: string) => [...regions].flatMap((region) => toE164(text, region) ?? []);
}

/** Throws UsageError for a value that many patients may have. */
export async function readSearch(queries: Queries, flags: SearchFlags, config: Config): Promise<PatientSearch> {
  if (Object.values(flags).every((values) => values.length === 0)) {
    throw new UsageError('Expected --registration, --phone, --name or --ipno.');
  }
  return {
    registrationKeys: readAll(
      flags.registration,
      registrationKey,
      '--registration: expected a number that identifies a patient.',
    ),
    phones: readAll(
      flags.phone,
      await phonesReader(queries, config),
      '--phone: expected a phone number such as +919845012345.',
    ),
    nameKeys: readAll(flags.name, nameKey, '--name: expected a name.'),
    inPatientKeys: readAll(
      flags.ipno,
      registrationKey,
      '--ipno: expected an inpatient number that identifies a patient.',
    ),
  };
}

type Read = (text: string) => string | null | readonly string[];

function readAll(texts: readonly string[], read: Read, expected: string) {
  const values = texts.map((text) => [read(text) || []].flat());
  if (values.some((found) => found.length === 0)) throw new UsageError(expected);
  return new Set(values.flat());
}

/** Every record with any of the values. For a phone or an inpatient number, reads all feedback, because both are as somebody typed them. */
export async function findRecords({ patients }: Queries, search: PatientSearch): Promise<PatientRecords> {
  const phones = [...search.phones];
  const national = phones.map(nationalNumber);
  const isFound = ({ inpatient_number: number, mobile }: FeedbackRow): boolean => {
    if (search.inPatientKeys.has(registrationKey(number) ?? '')) return true;
    if (mobile === null || national.length === 0) return false;
    // Also in `98450 12345 (wife)`.
    const digits = asciiDigits(mobile).replace(/\D+/g, '');
    return national.some((number) => digits.includes(number));
  };
  const feedback: FeedbackRow[] = [];
  if (phones.length + search.inPatientKeys.size > 0) {
    for await (const row of allOf(patients.feedbackAfter, { id: 0 })) if (isFound(row)) feedback.push(row);
  }
  return {
    appointments: await patients.appointmentsWith([...search.registrationKeys], phones, [...search.nameKeys]),
    feedback,
    messages: await patients.messagesTo(phones),
  };
}

/** The values of these records, for the texts of others that mention them. */
export async function searchOf(queries: Queries, records: PatientRecords, config: Config): Promise<PatientSearch> {
  const { appointments, feedback, messages } = records;
  const numbersOf = await phonesReader(queries, config);
  const present = (values: readonly (string | null | undefined)[]) => new Set(values.filter((value) => value != null));
  return {
    registrationKeys: present(appointments.map((row) => row.registration_key)),
    phones: present([
      ...appointments.map(({ phone }) => phone),
      ...feedback.flatMap(({ mobile }) => numbersOf(mobile ?? '')),
      ...messages.map(({ mobile }) => mobile),
    ]),
    nameKeys: present(appointments.map((row) => row.name_key)),
    inPatientKeys: present(feedback.map((row) => registrationKey(row.inpatient_number))),
  };
}

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
  for await (const row of allOf(patients.feedbackAfter, { id: 0 })) {
    if (!knownFeedback.has(row.id) && isMention(row.comment)) feedback.push(row);
  }
  for await (const row of allOf(patients.messagesAfter, { id: 0 })) {
    if (!knownMessages.has(row.id) && isMention(row.text)) messages.push(row);
  }
  const records = { appointments: [], feedback, messages };
  const lines = recordLines(records).map((line) => `  ${line}`);
  const title = 'Unclear, because their texts hold the name or a number; read them, and name those about the patient:';
  return { records, lines: lines.length === 0 ? [] : [title, ...lines] };
}
