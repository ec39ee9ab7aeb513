import type { Config } from '../../settings/config.ts';
import { nameKey, registrationKey } from '../../vocabulary/patients.ts';
import { readVisibleText } from '../../vocabulary/text.ts';
import { UsageError } from '../command-host.ts';
import type { PhoneReader } from './find-person.ts';
import { inPatientKey } from './in-patient-key.ts';
import type { PersonSearch } from './person-search.ts';
import { RECORD_NAME } from './record-name.ts';

/** The options of a search, as the operator entered them. */
export interface SearchFlags {
  readonly registration: readonly string[];
  readonly phone: readonly string[];
  readonly center: readonly number[];
  readonly name: readonly string[];
  readonly sex: readonly string[];
  readonly ipno: readonly string[];
  readonly include: readonly string[];
  readonly sharedPhone?: boolean;
}

/**
 * Throws UsageError for a value that cannot identify one patient. Escapes in it are decoded, because the report of a search writes them.
 */
export function readPersonSearch(
  flags: SearchFlags,
  { registrationPlaceholders }: Config,
  { e164 }: PhoneReader,
): PersonSearch {
  const { registration, phone, center, name, sex, ipno, include, sharedPhone } = flags;
  if (registration.length + phone.length + ipno.length === 0) {
    throw new UsageError('Expected --registration, --phone or --ipno.');
  }
  return {
    registrationKeys: readAll(
      registration,
      (text) => registrationKey(text, registrationPlaceholders),
      '--registration: expected a number that identifies one patient.',
    ),
    phones: readAll(phone, e164, '--phone: expected a phone number such as +919845012345.'),
    nameKeys: readAll(name, nameKey, '--name: expected a name.'),
    centerIds: new Set(center),
    sexes: readAll(sex, (text) => /^[MFO]$/i.exec(text)?.[0].toUpperCase(), '--sex: expected M, F or O.'),
    inPatientKeys: readAll(ipno, inPatientKey, '--ipno: expected an inpatient number that identifies one patient.'),
    included: readAll(
      include,
      (text) => (RECORD_NAME.test(text) ? text : undefined),
      '--include: expected a record such as appointment:1/12, feedback:7 or message:5.',
    ),
    sharedPhone: sharedPhone === true,
  };
}

function readAll(
  texts: readonly string[],
  read: (text: string) => string | null | undefined,
  expected: string,
): ReadonlySet<string> {
  return new Set(
    texts.map((text) => {
      const value = read(readVisibleText(text));
      if (!value) throw new UsageError(expected);
      return value;
    }),
  );
}
