import type { Center, Doctor } from '../store/queries/reference-queries.ts';
import type {
  MessageTemplate,
  NewOpeningHours,
  StoredLeave,
  StoredOpeningHours,
} from '../store/queries/reference-table-queries.ts';
import type { Queries } from '../store/store.ts';
import type { ReferenceTableName, RowOfTable } from './tables.ts';

/** All reference data in the database. */
export interface HospitalState {
  readonly centers: readonly Center[];
  readonly doctors: readonly Doctor[];
  readonly openingHours: readonly StoredOpeningHours[];
  readonly leaves: readonly StoredLeave[];
  readonly templates: readonly MessageTemplate[];
}

export async function readHospitalState({ referenceTables }: Queries): Promise<HospitalState> {
  return {
    centers: await referenceTables.centers(),
    doctors: await referenceTables.doctors(),
    openingHours: await referenceTables.openingHours(),
    leaves: await referenceTables.leaves(),
    templates: await referenceTables.templates(),
  };
}

/** The state, split into what belongs to the given centers and the rest. */
export function splitByCenters(state: HospitalState, ids: readonly number[]): [HospitalState, HospitalState] {
  const belongs = ({ centerId }: { readonly centerId: number }): boolean => ids.includes(centerId);
  const part = (isIn: boolean): HospitalState => ({
    centers: state.centers.filter(({ id }) => ids.includes(id) === isIn),
    doctors: state.doctors.filter((doctor) => belongs(doctor) === isIn),
    openingHours: state.openingHours.filter((hours) => belongs(hours) === isIn),
    leaves: state.leaves.filter((leave) => belongs(leave) === isIn),
    templates: isIn ? [] : state.templates,
  });
  return [part(true), part(false)];
}

/** The key of a doctor, in a map or a set. */
export const doctorRowKey = (centerId: number, id: number): string => `${centerId}/${id}`;

/** The contents of the database, as rows of the files. */
export const fileRowsOf = ({
  centers,
  doctors,
  openingHours,
  leaves,
  templates,
}: HospitalState): { readonly [Name in ReferenceTableName]: readonly RowOfTable<Name>[] } => ({
  centers,
  doctors,
  'opening-hours': hoursRows(openingHours),
  leave: leaves,
  templates,
});

/** Days with the same hours share one row. */
export function hoursRows(hours: readonly NewOpeningHours[]): RowOfTable<'opening-hours'>[] {
  const groups = Map.groupBy(hours, (h) => [h.centerId, h.doctorId, h.from, h.to, h.validFrom, h.validTo].join('/'));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { centerId, doctorId, from, to, validFrom, validTo } = first;
    const days = [...new Set(group.map(({ weekday }) => weekday))].sort((a, b) => a - b);
    return [{ centerId, doctorId, days, from, to, validFrom, validTo }];
  });
}
