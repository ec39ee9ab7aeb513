import type { Queries } from '../store/store.ts';
import type { ImportPlan } from './plan-import.ts';
import type { Progress } from './raw-table.ts';

/** Applies the plan to the database. Must run within one write. */
export async function applyPlan(
  { referenceTables: tables }: Queries,
  { centers, doctors, openingHours, leaves, templates }: ImportPlan,
  progress: Progress,
): Promise<void> {
  // Rows that reference others are removed before them and added after them.
  const steps: readonly (readonly [readonly unknown[], (row: never) => Promise<void>])[] = [
    step(openingHours.removed, ({ id }) => tables.removeOpeningHours(id)),
    step(leaves.removed, ({ id }) => tables.removeLeave(id)),
    step(doctors.removed, ({ centerId, id }) => tables.removeDoctor(centerId, id)),
    step(centers.removed, ({ id }) => tables.removeCenter(id)),
    step([...centers.added, ...centers.changed.map(({ after }) => after)], (center) => tables.putCenter(center)),
    step([...doctors.added, ...doctors.changed.map(({ after }) => after)], (doctor) => tables.putDoctor(doctor)),
    step(openingHours.added, (hours) => tables.addOpeningHours(hours)),
    step(leaves.added, (leave) => tables.addLeave(leave)),
    step([...templates.added, ...templates.changed.map(({ after }) => after)], (row) => tables.putTemplate(row)),
  ];
  const total = steps.reduce((sum, [rows]) => sum + rows.length, 0);
  let done = 0;
  for (const [rows, apply] of steps) {
    for (const row of rows) {
      await apply(row as never);
      progress(++done / total);
    }
  }
}

const step = <Row>(rows: readonly Row[], apply: (row: Row) => Promise<void>) =>
  [rows, apply as (row: never) => Promise<void>] as const;
