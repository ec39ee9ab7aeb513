import type { NewOpeningHours } from '../store/queries/reference-table-queries.ts';
import type { HospitalState } from './hospital-state.ts';
import type { ReferenceTableName, RowOfTable } from './tables.ts';

/** The contents of the database, as rows of the files. */
export type FileRows = { readonly [Name in ReferenceTableName]: readonly RowOfTable<Name>[] };

export const fileRowsOf = ({ centers, doctors, openingHours, leaves, templates }: HospitalState): FileRows => ({
  centers: centers,
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
