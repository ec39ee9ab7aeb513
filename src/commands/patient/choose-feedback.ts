import { isAbsent } from '../../rules/patient-fields.ts';
import type { FeedbackRow } from '../../store/queries/patient-queries.ts';
import { inPatientKey } from './in-patient-key.ts';
import { looseNumber } from './loose-number.ts';
import { mentionsPhone } from './mentions-phone.ts';
import type { PersonSearch } from './person-search.ts';
import { recordName } from './record-name.ts';
import { type Choice, splitByDoubt } from './split-by-doubt.ts';
import type { Reason } from './unclear-record.ts';

/** Feedback with its phone and number in the forms used for comparison. */
export interface ReadFeedback {
  readonly row: FeedbackRow;
  /** E.164; the text itself if it is not a phone number; null if there is none. */
  readonly phone: string | null;
  readonly inPatient: string | null;
}

/** `phoneOf`: E.164 of a phone as somebody typed it; undefined if it is not a phone number. */
export const readFeedback = (row: FeedbackRow, phoneOf: (text: string) => string | undefined): ReadFeedback => ({
  row,
  phone: row.mobile === null || isAbsent(row.mobile) ? null : (phoneOf(row.mobile) ?? row.mobile.trim()),
  inPatient: inPatientKey(row.ipno),
});

interface OwnPhones {
  /** E.164. */
  readonly own: ReadonlySet<string>;
  /** The same without the country code. */
  readonly national: readonly string[];
}

export interface KnownPhones extends OwnPhones {
  /** Those that others have as well. E.164. */
  readonly shared: ReadonlySet<string>;
}

/** Which feedback may concern the person at all. The rest need not be kept in memory. */
export function mayConcern(search: PersonSearch, phones: OwnPhones): (feedback: ReadFeedback) => boolean {
  const similar = new Set([...search.inPatientKeys].map(looseNumber));
  return ({ row, phone, inPatient }) =>
    (phone !== null && phones.own.has(phone)) ||
    mentionsOwn(phone, phones) ||
    (inPatient !== null && similar.size > 0 && similar.has(looseNumber(row.ipno)));
}

const mentionsOwn = (phone: string | null, { national }: OwnPhones): boolean =>
  phone !== null && national.some((digits) => mentionsPhone(phone, digits));

/** Which feedback is the person's, by rules 3 and 4 of `PersonSearch`. `rows`: all that may concern the person. */
export function chooseFeedback(
  rows: readonly ReadFeedback[],
  search: PersonSearch,
  phones: KnownPhones,
  isLeftOut: (name: string) => boolean,
): Choice<ReadFeedback> {
  const { inPatientKeys, included, sharedPhone } = search;
  const inPatientsOf = Map.groupBy(rows, ({ phone }) => phone);
  const isOfSeveral = (phone: string) => new Set(inPatientsOf.get(phone)?.map(({ inPatient }) => inPatient)).size > 1;
  const isNamedPhone = (phone: string | null) => search.phones.size === 0 || search.phones.has(phone ?? '');
  const otherPhones = new Set(
    rows.filter(({ phone }) => phone !== null && !isNamedPhone(phone)).map(({ inPatient }) => inPatient),
  );

  function doubtAbout({ row, phone, inPatient }: ReadFeedback): Reason | undefined {
    const name = recordName('feedback', row);
    if (included.has(name)) return undefined;
    const isOwnPhone = phone !== null && phones.own.has(phone);
    if (isOwnPhone && sharedPhone) return undefined;
    if (inPatient !== null && inPatientKeys.has(inPatient)) {
      const agrees = phone === null ? !otherPhones.has(inPatient) : isNamedPhone(phone);
      if (!agrees) return 'otherPhone';
      return phone === null && isLeftOut(name) ? 'leftOut' : undefined;
    }
    if (!isOwnPhone) return mentionsOwn(phone, phones) ? 'possiblePhone' : 'similarNumber';
    if (isLeftOut(name)) return 'leftOut';
    if (inPatientKeys.size > 0) return 'otherInPatient';
    if (phones.shared.has(phone)) return 'sharedPhone';
    return isOfSeveral(phone) ? 'severalInPatients' : undefined;
  }

  return splitByDoubt(rows, doubtAbout);
}
