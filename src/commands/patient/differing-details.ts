import { UNKNOWN_SEX } from '../../rules/patient-fields.ts';
import type { AppointmentRow } from '../../store/queries/patient-queries.ts';
import type { PersonData } from './find-person.ts';
import type { PersonSearch } from './person-search.ts';
import { appointmentName } from './record-name.ts';

/** A detail in which the patients found by a search may differ. */
interface Detail {
  readonly name: string;
  /** The option that names its values. */
  readonly option: string;
  readonly named: (search: PersonSearch) => ReadonlySet<unknown>;
  readonly values: (appointments: readonly AppointmentRow[], data: PersonData) => readonly unknown[];
}

const DETAILS: readonly Detail[] = [
  {
    name: 'registration number',
    option: '--registration',
    named: ({ registrationKeys }) => registrationKeys,
    // An appointment without a number matches one that has the same name and phone: rule 2.
    values: (rows) => rows.flatMap(({ registration_key: key }) => (key === null ? [] : [key])),
  },
  {
    name: 'name',
    option: '--name',
    named: ({ nameKeys }) => nameKeys,
    values: (rows) => rows.map(({ name_key: key }) => key),
  },
  {
    name: 'phone',
    option: '--phone',
    named: ({ phones }) => phones,
    values: (rows, { inPatientPhones }) => [...rows.map(({ phone }) => phone), ...inPatientPhones],
  },
  {
    name: 'center',
    option: '--center',
    named: ({ centerIds }) => centerIds,
    values: (rows) => rows.map(({ center_id: id }) => id),
  },
  {
    // Mr. Rao and Mrs. Rao have the same name, and may have the same phone.
    name: 'sex',
    option: '--sex',
    named: ({ sexes }) => sexes,
    values: (rows) => rows.map(({ sex }) => sex).filter((sex) => sex !== UNKNOWN_SEX),
  },
];

/**
 * The details in which the records found differ although none of their values was named, so that they may be several patients'. Rule 1 of
 * `PersonSearch`.
 */
export function differingDetails(data: PersonData, search: PersonSearch): readonly Pick<Detail, 'name' | 'option'>[] {
  const rows = data.appointments.filter((row) => !search.included.has(appointmentName(row)));
  return DETAILS.filter(({ named, values }) => named(search).size === 0 && new Set(values(rows, data)).size > 1);
}
