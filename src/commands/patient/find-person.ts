import type { AppointmentRow, MessageRow } from '../../store/queries/patient-queries.ts';
import type { Store } from '../../store/store.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { type AboutRecords, aboutRecords, type PersonRecords } from './about-records.ts';
import { chooseAppointments } from './choose-appointments.ts';
import { chooseFeedback, type KnownPhones, mayConcern, type ReadFeedback, readFeedback } from './choose-feedback.ts';
import { chooseMessages } from './choose-messages.ts';
import { leftOutRecords } from './left-out-records.ts';
import { looseNumber } from './loose-number.ts';
import { mentionsName } from './mentions-name.ts';
import type { PersonSearch } from './person-search.ts';
import { appointmentName, recordName } from './record-name.ts';
import type { UnclearRecords } from './unclear-record.ts';

/** How phone numbers are read at this hospital. */
export interface PhoneReader {
  /** E.164 of a phone as somebody typed it; undefined if it is not a phone number. */
  readonly e164: (text: string) => string | undefined;
  /** The digits of a number in E.164 without its country code. */
  readonly national: (e164: string) => string;
}

/** Everything that is stored about a person, and what may be theirs. */
export interface PersonData extends PersonRecords, AboutRecords {
  readonly unclear: UnclearRecords;
  /** Appointments that the search does not ask for, although they have a number or phone of the person. */
  readonly others: readonly AppointmentRow[];
  /** Registration keys that are similar to the person's. */
  readonly similarNumbers: readonly string[];
  /** Without --phone: the phones of the feedback that was found by its inpatient number, as in `ReadFeedback`. */
  readonly inPatientPhones: ReadonlySet<string>;
  /** How many records erasures have left out, whoever they belong to. */
  readonly leftOut: number;
}

/**
 * Searches the whole database, by the rules of `PersonSearch`. Throws ServiceError if a record that was to be included was not found.
 *
 * The service keeps running in the meantime, so the records that show whether a phone is shared are read last: then a booking with the
 * phone that was made after its messages were read is still seen.
 */
export async function findPerson(store: Store, search: PersonSearch, reader: PhoneReader): Promise<PersonData> {
  const { registrationKeys, inPatientKeys } = search;
  const appointmentsOf = (keys: readonly string[], phones: readonly string[]) =>
    store.read(({ patients }) => patients.appointmentsOf([...new Set(keys)], phones));

  const inPatientPhones = search.phones.size > 0 ? new Set<string>() : await phonesOf(inPatientKeys, store, reader);
  // Two patients may have the same text in place of a phone number.
  const inPatientNumbers = [...inPatientPhones].filter((phone) => reader.e164(phone) === phone);
  const asked = await appointmentsOf([...registrationKeys], [...search.phones]);
  const first = chooseAppointments(asked, search, () => false).own;
  const own = new Set([...search.phones, ...inPatientNumbers, ...first.map(({ phone }) => phone)]);
  const ownPhones = { own, national: [...own].map(reader.national) };
  const concerning = await feedbackThat(mayConcern(search, ownPhones), store, reader);
  const sent = await store.read(({ patients }) => patients.messagesTo([...own]));
  const names = new Set(first.map(({ name_key: name }) => name));
  const naming = (await messagesNaming(names, store)).filter(({ mobile }) => !own.has(mobile));
  const keys = [...registrationKeys, ...keysOf(first)];
  const rows = await appointmentsOf(keys, [...own]);
  const leftOut = await leftOutRecords(store);

  const isLeftOut = (name: string) => leftOut.has(name);
  const appointments = chooseAppointments(rows, search, isLeftOut);
  const notOwn = [...appointments.others, ...appointments.unclear.map(({ row }) => row)];
  const shared = new Set(notOwn.map(({ phone }) => phone));
  const phones: KnownPhones = { ...ownPhones, shared };
  const feedback = chooseFeedback(concerning, search, phones, isLeftOut);
  for (const { row } of feedback.unclear) if (row.phone !== null) shared.add(row.phone);
  const messages = chooseMessages([...sent, ...naming], search, phones, isLeftOut);
  const records: PersonRecords = {
    appointments: appointments.own,
    feedback: feedback.own.map(({ row }) => row),
    messages: messages.own,
  };
  requireIncluded(search, records);
  return {
    ...records,
    ...(await aboutRecords(store, records)),
    unclear: {
      appointments: appointments.unclear,
      feedback: feedback.unclear.map(({ row: { row }, reason }) => ({ row, reason })),
      messages: messages.unclear,
    },
    others: appointments.others,
    similarNumbers: await similarTo(keys, store),
    inPatientPhones,
    leftOut: leftOut.size,
  };
}

const keysOf = (rows: readonly AppointmentRow[]): readonly string[] =>
  rows.flatMap(({ registration_key: key }) => (key === null ? [] : [key]));

/** The phones of the feedback with these inpatient numbers. */
async function phonesOf(
  inPatientKeys: ReadonlySet<string>,
  store: Store,
  reader: PhoneReader,
): Promise<ReadonlySet<string>> {
  if (inPatientKeys.size === 0) return new Set();
  const rows = await feedbackThat(({ inPatient }) => inPatientKeys.has(inPatient ?? ''), store, reader);
  return new Set(rows.flatMap(({ phone }) => (phone === null ? [] : [phone])));
}

async function feedbackThat(
  isWanted: (feedback: ReadFeedback) => boolean,
  store: Store,
  reader: PhoneReader,
): Promise<readonly ReadFeedback[]> {
  const wanted: ReadFeedback[] = [];
  for (let last = 0; ; ) {
    const after = last;
    const page = await store.read(({ patients }) => patients.feedbackAfter(after));
    wanted.push(...page.map((row) => readFeedback(row, reader.e164)).filter(isWanted));
    const end = page.at(-1);
    if (end === undefined) return wanted;
    last = end.id;
  }
}

/** Messages that may have been sent to an earlier phone of a person, of which only the person's name is left. */
async function messagesNaming(nameKeys: ReadonlySet<string>, store: Store): Promise<readonly MessageRow[]> {
  if (nameKeys.size === 0) return [];
  const rows = await store.read(({ patients }) => patients.messagesToOthers());
  return rows.filter(({ text }) => [...nameKeys].some((key) => mentionsName(text, key)));
}

async function similarTo(keys: readonly string[], store: Store): Promise<readonly string[]> {
  const similar = new Set(keys.map(looseNumber));
  if (similar.size === 0) return [];
  const all = await store.read(({ patients }) => patients.registrationKeys());
  return all.filter((key) => similar.has(looseNumber(key)) && !keys.includes(key));
}

function requireIncluded({ included }: PersonSearch, { appointments, feedback, messages }: PersonRecords): void {
  const found = new Set([
    ...appointments.map(appointmentName),
    ...feedback.map((row) => recordName('feedback', row)),
    ...messages.map((row) => recordName('message', row)),
  ]);
  const missing = [...included].filter((name) => !found.has(name));
  if (missing.length === 0) return;
  throw new ServiceError(
    'InvalidValue',
    `--include: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not among the records that this search finds.`,
  );
}
