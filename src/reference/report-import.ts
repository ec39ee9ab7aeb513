import { quantity } from '../vocabulary/text.ts';
import { changesIn, keyTitles, type RowChange } from './imported-rows.ts';
import type { ImportPlan } from './plan-import.ts';
import type { ImportOutcome } from './run-import.ts';
import { cellsOf, titlesOf } from './tables.ts';

const isRemoved = ({ after }: RowChange): boolean => after === undefined;
const isAdded = ({ before }: RowChange): boolean => before === undefined;
const isChanged = (change: RowChange): boolean => !isRemoved(change) && !isAdded(change);

/** One line per table that changes: how many rows of its file are added, changed and removed. */
export function importSummary({ plan, appointments, feedback }: ImportOutcome): string[] {
  const lines: string[] = [];
  for (const [table, changes] of Map.groupBy(plan.changes, (change) => change.table)) {
    const count = (isKind: (change: RowChange) => boolean) => changes.filter(isKind).length;
    lines.push(`${table}: ${count(isAdded)} added, ${count(isChanged)} changed, ${count(isRemoved)} removed`);
  }
  const inactive = changesIn(plan.changes, 'doctors').filter(
    ({ before, after }) => before?.active === 1 && after?.active === 0,
  ).length;
  if (inactive > 0) lines.push(`${quantity(inactive, 'doctor becomes', 'doctors become')} inactive.`);
  lines.push(...recordLines('appointments', appointments), ...recordLines('feedback', feedback));
  const { marked } = appointments;
  if (marked > 0) {
    const overlap = quantity(marked, 'appointment overlaps another and is', 'appointments overlap others and are');
    lines.push(`${overlap} marked.`);
  }
  if (lines.length === 0) lines.push('Nothing changes.');
  if (plan.leftOut.length > 0) {
    const who = quantity(plan.leftOut.length, 'active doctor');
    lines.push(`The files leave out ${who} of the centers that they name; --deactivate would make them inactive.`);
  }
  return lines;
}

function recordLines(table: string, { added, same }: ImportOutcome['feedback']): string[] {
  if (added === 0) return [];
  return [`${table}: ${added} added${same === 0 ? '' : `, ${same} already stored`}`];
}

/** One line per row of reference data: `+` added, `~` changed, `-` removed. */
export const changedRows = ({ changes }: ImportPlan): string[] => changes.map(changeText);

function changeText({ table, before, after }: RowChange): string {
  const [old, now] = [before, after].map((row) => row && cellsOf(table, row));
  const cells = titlesOf(table).flatMap((title, index) => {
    const [was = '', is = ''] = [old?.[index], now?.[index]];
    if (old === undefined || now === undefined) return was + is === '' ? [] : [`${title} ${JSON.stringify(was + is)}`];
    if (was !== is) return [`${title} ${JSON.stringify(was)} → ${JSON.stringify(is)}`];
    return keyTitles(table).includes(title) ? [`${title} ${JSON.stringify(is)}`] : [];
  });
  const sign = old === undefined ? '+' : now === undefined ? '-' : '~';
  return `${sign} ${table}: ${cells.join(', ')}`;
}
