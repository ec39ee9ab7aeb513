import { INT_MAX } from '../contract/parameter-values.ts';
import { hoursRows } from './hospital-state.ts';
import type { Changed, ImportPlan, TableChange } from './plan-import.ts';
import type { ImportOutcome, WithdrawnDoctor } from './run-import.ts';
import type { RecordCounts } from './stage-records.ts';
import { cellsOf, type ReferenceTableName, type RowOfTable, titlesOf } from './tables.ts';

type FileChanges = { readonly [Name in ReferenceTableName]: TableChange<RowOfTable<Name>> };

/** The changes, as rows of the files. */
const fileChanges = ({ centers, doctors, openingHours, leaves, templates }: ImportPlan): FileChanges => ({
  centers,
  doctors,
  'opening-hours': { added: hoursRows(openingHours.added), changed: [], removed: hoursRows(openingHours.removed) },
  leave: leaves,
  templates,
});

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** One line per table that changes: how many rows of its file are added, changed and removed. */
export function importSummary({ plan, appointments, feedback }: ImportOutcome): string[] {
  const lines = Object.entries(fileChanges(plan)).flatMap(([name, { added, changed, removed }]) => {
    if (added.length + changed.length + removed.length === 0) return [];
    return [`${name}: ${added.length} added, ${changed.length} changed, ${removed.length} removed`];
  });
  const { doctors, leftOut } = plan;
  const inactive = doctors.changed.filter(({ before, after }) => before.active !== 0 && after.active === 0).length;
  if (inactive > 0) lines.push(`${counted(inactive, 'doctor becomes', 'doctors become')} inactive.`);
  lines.push(...recordLines('appointments', appointments), ...recordLines('feedback', feedback));
  const { marked, repeatedTokens } = appointments;
  if (marked > 0) {
    const overlap = counted(marked, 'appointment overlaps another and is', 'appointments overlap others and are');
    lines.push(`${overlap} marked.`);
  }
  if (repeatedTokens > 0) {
    const have = counted(repeatedTokens, 'appointment has', 'appointments have');
    lines.push(`${have} the same token as another one in the doctor's day.`);
  }
  lines.push(...fewLeft('AppointmentID', appointments), ...fewLeft('FeedbackID', feedback));
  if (lines.length === 0) lines.push('Nothing changes.');
  if (leftOut.length > 0) {
    const who = counted(leftOut.length, 'active doctor', 'active doctors');
    lines.push(`The files leave out ${who} of the centers that they name; --deactivate would make them inactive.`);
  }
  return lines;
}

function recordLines(table: string, { added, same }: RecordCounts): string[] {
  if (added === 0) return [];
  return [`${table}: ${added} added${same === 0 ? '' : `, ${same} already stored`}`];
}

/** Enough for about ten years of 2,000 appointments per day. */
const FEW = 7_000_000;

/** Warns if the numbers will soon be used up, because one mistyped number, too long by some digits, uses up all before it. */
function fewLeft(title: string, { last }: RecordCounts): string[] {
  const left = INT_MAX - last;
  if (left > FEW) return [];
  return [`New numbers continue above the highest ${title}, ${last}; only ${left} are left.`];
}

/** One line per row of reference data: `+` added, `~` changed, `-` removed. */
export const changedRows = (plan: ImportPlan): string[] =>
  Object.entries(fileChanges(plan)).flatMap(([name, change]) => linesOf(name as ReferenceTableName, change));

function linesOf<Name extends ReferenceTableName>(
  table: Name,
  { added, changed, removed }: TableChange<RowOfTable<Name>>,
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
  `Doctor ${id} of center ${centerId}, ${name}, becomes inactive with ${counted(appointments, 'future appointment', 'future appointments')}.`;
