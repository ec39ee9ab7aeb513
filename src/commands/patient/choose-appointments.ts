import type { AppointmentRow } from '../../store/records/patient-records.ts';
import type { PersonSearch } from './person-search.ts';
import { appointmentName } from './record-name.ts';
import { type Choice, splitByDoubt } from './split-by-doubt.ts';
import type { Reason } from './unclear-record.ts';

export interface AppointmentChoice extends Choice<AppointmentRow> {
  /** Not what the search asks for. */
  readonly others: readonly AppointmentRow[];
}

/** Which of the rows are the person's, by rules 1 and 2 of `PersonSearch`. `isLeftOut`: of a record's name, for rule 4. */
export function chooseAppointments(
  rows: readonly AppointmentRow[],
  search: PersonSearch,
  isLeftOut: (name: string) => boolean,
): AppointmentChoice {
  const { registrationKeys, phones, nameKeys, centerIds, included } = search;
  const isLimited = registrationKeys.size > 0;
  const isNamed = (row: AppointmentRow): boolean =>
    (isLimited || phones.size > 0) &&
    admits(phones, row.phone) &&
    admits(nameKeys, row.name_key) &&
    admits(centerIds, row.center_id);
  const numbersOf = Map.groupBy(
    rows.filter(({ registration_key: key }) => key !== null),
    nameAndPhone,
  );
  const hasNamedNumber = ({ registration_key: key }: AppointmentRow) => key !== null && registrationKeys.has(key);
  const belongsToNumber = (row: AppointmentRow): boolean =>
    row.registration_key === null
      ? numbersOf.get(nameAndPhone(row))?.some((known) => hasNamedNumber(known) && isNamed(known)) === true
      : hasNamedNumber(row);
  const isFound = (row: AppointmentRow): boolean => isNamed(row) && (!isLimited || belongsToNumber(row));
  const doubtAbout = (row: AppointmentRow): Reason | undefined => {
    if (row.registration_key !== null || included.has(appointmentName(row))) return undefined;
    if (isLeftOut(appointmentName(row))) return 'leftOut';
    const numbers = new Set(numbersOf.get(nameAndPhone(row))?.map(({ registration_key: key }) => key));
    // Without a named number, the only one is this patient's.
    const isClear = isLimited ? numbers.isSubsetOf(registrationKeys) : numbers.size <= 1;
    return isClear ? undefined : 'severalNumbers';
  };
  return {
    ...splitByDoubt(rows.filter(isFound), doubtAbout),
    others: rows.filter((row) => !isFound(row)),
  };
}

const admits = <T>(named: ReadonlySet<T>, value: T): boolean => named.size === 0 || named.has(value);

/** No name's key contains a space. */
const nameAndPhone = ({ name_key: name, phone }: AppointmentRow): string => `${name} ${phone}`;
