import { INT_MAX } from '../contract/parameter-values.ts';
import { hoursRows } from './file-rows.ts';
import type { Changed, ImportPlan } from './plan-import.ts';
import type { ImportOutcome } from './run-import.ts';
import { cellsOf, type RowOfTable, type TableName, titlesOf } from './tables.ts';

/** A doctor whom an import makes inactive while patients still have appointments. */
export interface WithdrawnDoctor {
  readonly centerId: number;
  readonly id: number;
  readonly name: string;
  /** Upcoming appointments that occupy their slot. */
  readonly appointments: number;
}

/** One line per table that changes: how many rows of its file are added, changed and removed. */
export function planSummary({ plan, appointments, feedback }: ImportOutcome): string[] {
  const { centers, doctors, openingHours, leaves, templates, leftOut } = plan;
  const hours = { added: hoursRows(openingHours.added), changed: [], removed: hoursRows(openingHours.removed) };
  const tables = { centers, doctors, 'opening-hours': hours, leave: leaves, templates };
  const lines = Object.entries(tables).flatMap(([name, { added, changed, removed }]) => {
    if (added.length + changed.length + removed.length === 0) return [];
    return [`${name}: ${added.length} added, ${changed.length} changed, ${removed.length} removed`];
  });
  const inactive = doctors.changed.filter(({ before, after }) => before.active !== 0 && after.active === 0).length;
  if (inactive > 0) lines.push(`${inactive} ${inactive === 1 ? 'doctor becomes' : 'doctors become'} inactive.`);
  lines.push(...recordLines('appointments', appointments), ...recordLines('feedback', feedback));
  if (appointments.marked > 0) {
    lines.push(
      `${appointments.marked} ${appointments.marked === 1 ? 'appointment overlaps another and is' : 'appointments overlap others and are'} marked.`,
    );
  }
  if (appointments.repeatedTokens > 0) {
    lines.push(
      `${appointments.repeatedTokens} ${appointments.repeatedTokens === 1 ? 'appointment has' : 'appointments have'} the same token as another one in the doctor's day.`,
    );
  }
  lines.push(...fewLeft('AppointmentID', appointments.added), ...fewLeft('FeedbackID', feedback.added));
  if (lines.length === 0) lines.push('Nothing changes.');
  if (leftOut.length > 0) {
    const who = leftOut.length === 1 ? '1 active doctor' : `${leftOut.length} active doctors`;
    lines.push(`The files leave out ${who} of the centers that they name; --deactivate would make them inactive.`);
  }
  return lines;
}

function recordLines(table: string, { added, same }: { readonly added: readonly unknown[]; readonly same: number }) {
  if (added.length === 0) return [];
  return [`${table}: ${added.length} added${same === 0 ? '' : `, ${same} already stored`}`];
}

/** Enough for about ten years of 2,000 appointments per day. */
const FEW = 7_000_000;

/** Warns if the numbers will soon be used up, because one mistyped number, too long by some digits, uses up all before it. */
function fewLeft(title: string, added: readonly { readonly id: number }[]): string[] {
  const last = added.reduce((most, { id }) => Math.max(most, id), 0);
  const left = INT_MAX - last;
  if (left > FEW) return [];
  return [`New numbers continue above the highest ${title}, ${last}; only ${left} are left.`];
}

/** One line per row: `+` added, `~` changed, `-` removed. */
export function planRows({ centers, doctors, openingHours, leaves, templates }: ImportPlan): string[] {
  return [
    ...plain('centers', centers.added, centers.changed, centers.removed),
    ...plain('doctors', doctors.added, doctors.changed, doctors.removed),
    ...plain('opening-hours', hoursRows(openingHours.added), [], hoursRows(openingHours.removed)),
    ...plain('leave', leaves.added, [], leaves.removed),
    ...plain('templates', templates.added, templates.changed, templates.removed),
  ];
}

function plain<Name extends TableName>(
  table: Name,
  added: readonly RowOfTable<Name>[],
  changed: readonly Changed<RowOfTable<Name>>[],
  removed: readonly RowOfTable<Name>[],
): string[] {
  const titles = titlesOf(table);
  const pairs = (row: RowOfTable<Name>): string =>
    cellsOf(table, row)
      .flatMap((cell, index) => (cell === '' ? [] : [`${titles[index]} ${JSON.stringify(cell)}`]))
      .join(', ');
  const difference = ({ before, after }: Changed<RowOfTable<Name>>): string => {
    const [old, now] = [cellsOf(table, before), cellsOf(table, after)];
    return titles
      .flatMap((title, index) => {
        const cell = JSON.stringify(now[index]);
        if (now[index] !== old[index]) return [`${title} ${JSON.stringify(old[index])} → ${cell}`];
        return KEYS.includes(title) ? [`${title} ${cell}`] : [];
      })
      .join(', ');
  };
  return [
    ...removed.map((row) => `- ${table}: ${pairs(row)}`),
    ...changed.map((row) => `~ ${table}: ${difference(row)}`),
    ...added.map((row) => `+ ${table}: ${pairs(row)}`),
  ];
}

/** Columns that identify the row. */
const KEYS: readonly string[] = ['centerid', 'DoctorID', 'tempid'];

/** The patients who must be informed, or seen by another doctor. */
export const withdrawnText = ({ centerId, id, name, appointments }: WithdrawnDoctor): string =>
  `Doctor ${id} of center ${centerId}, ${name}, becomes inactive with ${appointments} future ${appointments === 1 ? 'appointment' : 'appointments'}.`;
