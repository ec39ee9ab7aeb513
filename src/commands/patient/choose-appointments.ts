import { UNKNOWN_SEX } from '../../rules/patient-fields.ts';
import type { AppointmentRow } from '../../store/queries/patient-queries.ts';
import type { PersonSearch } from './person-search.ts';
import { appointmentName } from './record-name.ts';
import { type Choice, splitByDoubt } from './split-by-doubt.ts';
import type { Reason } from './unclear-record.ts';

export interface AppointmentChoice extends Choice<AppointmentRow> {
  /** Those that the search does not ask for. */
  readonly others: readonly AppointmentRow[];
}

/**
 * Which of the rows are the person's, by rules 1 and 2 of `PersonSearch`. `isLeftOut`: whether a record name has been left out, for rule 4.
 */
export function chooseAppointments(
  rows: readonly AppointmentRow[],
  search: PersonSearch,
  isLeftOut: (name: string) => boolean,
): AppointmentChoice {
  const { registrationKeys, phones, nameKeys, centerIds, sexes, included } = search;
  const isLimited = registrationKeys.size > 0;
  const isNamed = (row: AppointmentRow): boolean =>
    (isLimited || phones.size > 0) &&
    admits(phones, row.phone) &&
    admits(nameKeys, row.name_key) &&
    admits(centerIds, row.center_id) &&
    (row.sex === UNKNOWN_SEX || admits(sexes, row.sex));
  const hasNamedNumber = ({ registration_key: key }: AppointmentRow) => key !== null && registrationKeys.has(key);
  const alike = Map.groupBy(rows, nameAndPhone);
  /** Includes the row itself. */
  const alikeTo = (row: AppointmentRow) => alike.get(nameAndPhone(row)) ?? [];

  const isFound = (row: AppointmentRow): boolean => {
    if (!isNamed(row) || !isLimited || hasNamedNumber(row)) return isNamed(row);
    return row.registration_key === null && alikeTo(row).some((other) => hasNamedNumber(other) && isNamed(other));
  };
  const doubtAbout = (row: AppointmentRow): Reason | undefined => {
    const name = appointmentName(row);
    if (included.has(name)) return undefined;
    if (isLeftOut(name)) return 'leftOut';
    if (row.registration_key === null) {
      const numbers = new Set(alikeTo(row).flatMap(({ registration_key: key }) => key ?? []));
      // If no number is named, the only one found is this patient's.
      const isClear = isLimited ? numbers.isSubsetOf(registrationKeys) : numbers.size <= 1;
      if (!isClear) return 'severalNumbers';
    }
    const isMixed =
      row.sex === UNKNOWN_SEX && !alikeTo(row).every(({ sex }) => sex === UNKNOWN_SEX || admits(sexes, sex));
    return isMixed ? 'severalSexes' : undefined;
  };
  return {
    ...splitByDoubt(rows.filter(isFound), doubtAbout),
    others: rows.filter((row) => !isFound(row)),
  };
}

const admits = <T>(named: ReadonlySet<T>, value: T): boolean => named.size === 0 || named.has(value);

/** No name's key contains a space. */
const nameAndPhone = ({ name_key: name, phone }: AppointmentRow): string => `${name} ${phone}`;
