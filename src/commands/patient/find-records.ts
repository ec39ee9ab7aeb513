import type { Config } from '../../settings/config.ts';
import { allOf } from '../../store/queries/export-queries.ts';
import type { FeedbackRow, MessageRow } from '../../store/queries/patient-queries.ts';
import type { Queries } from '../../store/store.ts';
import { bareText, foundText, foundWords, registrationKey } from '../../vocabulary/patients.ts';
import { nationalNumber, toE164 } from '../../vocabulary/phone.ts';
import { asciiDigits, visibleText } from '../../vocabulary/text.ts';
import { UsageError } from '../command-host.ts';
import { type PatientRecords, recordLines } from './patient-records.ts';

export type SearchFlags = Readonly<Record<'registration' | 'phone' | 'name' | 'ipno', readonly string[]>>;

/**
 * Values of one patient. No value identifies a person: a family shares a phone, a registration number may be missing, mistyped or made up,
 * and a message has only a phone. So a search finds every record that has any of the values, and more widely than two bookings are compared,
 * because the operator says whose it is.
 */
interface PatientSearch {
  /** Letters and digits of registration numbers. */
  readonly registrations: readonly string[];
  /** E.164. */
  readonly phones: readonly string[];
  readonly lastDigits: readonly string[];
  /** The words of each name, as `foundWords` writes them. */
  readonly names: readonly (readonly string[])[];
  /** Letters and digits of inpatient numbers. */
  readonly inPatients: readonly string[];
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
  const numbersOf = await phonesReader(queries, config);
  const number = (text: string) => (registrationKey(text) === null ? [] : [bareText(text)]);
  const phones = readAll(
    flags.phone,
    (text) => {
      const numbers = numbersOf(text);
      const digits = asciiDigits(text).replace(/\D+/g, '');
      return numbers.length > 0 || digits.length < LEAST_DIGITS ? numbers : [digits];
    },
    `--phone: expected a phone number such as +919845012345, or ${LEAST_DIGITS} or more of its last digits.`,
  );
  return {
    registrations: readAll(flags.registration, number, '--registration: expected a number that identifies a patient.'),
    phones: phones.filter((phone) => phone.startsWith('+')),
    lastDigits: phones.filter((phone) => !phone.startsWith('+')),
    names: readAll(
      flags.name,
      (text) => [foundWords(text)].filter((words) => words.length > 0),
      '--name: expected a name.',
    ),
    inPatients: readAll(flags.ipno, number, '--ipno: expected an inpatient number that identifies a patient.'),
  };
}

const LEAST_DIGITS = 4;

function readAll<Value>(texts: readonly string[], read: (text: string) => readonly Value[], expected: string) {
  const values = texts.map(read);
  if (values.some((found) => found.length === 0)) throw new UsageError(expected);
  return values.flat();
}

/** What a search was compared with, for a search that found nothing. */
export function comparedWith({ registrations, phones, lastDigits, names, inPatients }: PatientSearch): string {
  const compared = [
    ...registrations.map((number) => `registration numbers with the letters and digits ${number}`),
    ...phones.map((phone) => `phones ${phone}`),
    ...lastDigits.map((digits) => `phones that end in ${digits}`),
    ...names.map(
      (words) => `names with the parts ${words.join(', ')}, in any order, without accents, blanks and hyphens`,
    ),
    ...inPatients.map((number) => `inpatient numbers with the letters and digits ${number}`),
  ];
  return `Nothing is stored with these values. Compared were ${compared.map(visibleText).join('; ')}.`;
}

/** As many values as both databases accept in a statement, and a person compares. */
const MOST_VALUES = 1000;

/** A value with anything between its letters and around it. */
const loosely = (letters: string): string => `%${[...letters].join('%')}%`;

interface Wanted {
  readonly patterns: readonly (readonly string[])[];
  readonly matches?: (value: string) => boolean;
}

/**
 * The stored values that fit a pattern and match. An index has them, so that this takes 0.1 s for a million appointments. Throws UsageError for
 * more than anybody compares.
 */
async function valuesOf(
  { patients }: Queries,
  column: Parameters<typeof patients.valuesLike>[0],
  { patterns, matches }: Wanted,
) {
  const found: string[] = [];
  if (patterns.length === 0) return found;
  const after = ({ value }: { value: string }) => patients.valuesLike(column, patterns, matches !== undefined, value);
  for await (const { value } of allOf(after, { value: '' })) {
    if (matches === undefined || matches(value)) found.push(value);
    if (found.length > MOST_VALUES) throw new UsageError('Too many patients have these values; expected longer ones.');
  }
  return found;
}

/** Every record with any of the values. For a phone or an inpatient number, reads all feedback, because both are as somebody typed them. */
export async function findRecords(queries: Queries, search: PatientSearch): Promise<PatientRecords> {
  const { patients } = queries;
  const { registrations, phones, lastDigits, names, inPatients } = search;
  const numbers: Wanted = {
    patterns: registrations.map((number) => [loosely(number)]),
    matches: (key) => registrations.includes(bareText(key)),
  };
  const byName: Wanted = {
    patterns: names.map((words) => words.map(loosely)),
    matches: (key) => {
      const name = foundText(key);
      return names.some((words) => words.every((word) => name.includes(word)));
    },
  };
  const byEnd: Wanted = { patterns: lastDigits.map((digits) => [`%${digits}`]) };
  const feedback: FeedbackRow[] = [];
  const typed = [...phones.map(nationalNumber), ...lastDigits];
  if (typed.length + inPatients.length > 0) {
    for await (const row of allOf(patients.feedbackAfter, { id: 0 })) {
      // Also in `98450 12345 (wife)`.
      const digits = asciiDigits(row.mobile ?? '').replace(/\D+/g, '');
      const isFound = inPatients.includes(bareText(row.inpatient_number ?? ''));
      if (isFound || typed.some((number) => digits.includes(number))) feedback.push(row);
    }
  }
  return {
    appointments: await patients.appointmentsWith(
      await valuesOf(queries, ['appointment', 'registration_key'], numbers),
      [...phones, ...(await valuesOf(queries, ['appointment', 'phone'], byEnd))],
      await valuesOf(queries, ['appointment', 'name_key'], byName),
    ),
    feedback,
    messages: await patients.messagesTo([...phones, ...(await valuesOf(queries, ['message', 'mobile'], byEnd))]),
  };
}

/** The values of these records, for the texts of others that mention them. */
export async function searchOf(queries: Queries, records: PatientRecords, config: Config): Promise<PatientSearch> {
  const { appointments, feedback, messages } = records;
  const numbersOf = await phonesReader(queries, config);
  const present = (values: readonly (string | null | undefined)[]) => [
    ...new Set(values.filter((value) => value != null)),
  ];
  return {
    registrations: present(appointments.map((row) => row.registration_key && bareText(row.registration_key))),
    phones: present([
      ...appointments.map(({ phone }) => phone),
      ...feedback.flatMap(({ mobile }) => numbersOf(mobile ?? '')),
      ...messages.map(({ mobile }) => mobile),
    ]),
    lastDigits: [],
    names: present(appointments.map((row) => row.name_key)).map((key) => [foundText(key)]),
    inPatients: present(feedback.map((row) => registrationKey(row.inpatient_number))).map(bareText),
  };
}

/** Shorter ones are in too many texts. */
const LEAST_LETTERS = 3;

/** Whether a text holds one of the names or numbers. */
function mentions({ registrations, phones, names, inPatients }: PatientSearch) {
  const written = names.map((words) => words.join('')).filter((name) => name.length >= LEAST_LETTERS);
  // A word, in whatever spelling: `R-7` and `r 7`, but not `R-77`.
  const numbers = [...registrations, ...inPatients]
    .filter((number) => !/^(?:.|\d\d)$/u.test(number))
    .map(
      (number) => new RegExp(`(?<![\\p{L}\\p{N}])${[...number].join('[^\\p{L}\\p{N}]{0,3}')}(?![\\p{L}\\p{N}])`, 'u'),
    );
  const national = phones.map(nationalNumber);
  return (text: string | null): boolean => {
    if (text === null) return false;
    const [letters, capitals] = [foundText(text), text.toUpperCase()];
    const digits = asciiDigits(text).replace(/\D+/g, '');
    return (
      written.some((name) => letters.includes(name)) ||
      numbers.some((number) => number.test(capitals)) ||
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
