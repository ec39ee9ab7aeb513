import type { Center, Doctor } from '../store/queries/reference-queries.ts';
import type { MessageTemplate, StoredLeave, StoredOpeningHours } from '../store/queries/reference-table-queries.ts';
import type { Queries } from '../store/store.ts';

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
