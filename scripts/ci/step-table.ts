import type { StepResult } from './step.ts';

const HEADINGS = ['step', 'began', 'took', 'processor'] as const;
const seconds = (value: number): string => (Number.isNaN(value) ? '?' : `${value.toFixed(0)} s`);

/** The cost of each step, the most expensive in processor time first, and of all of them together. */
export function stepTable(results: readonly StepResult[]): string {
  const byCost = results.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds);
  const rows = byCost.map((step) => [
    step.ok ? step.name : `${step.name} (FAILED)`,
    seconds(step.began),
    seconds(step.seconds),
    seconds(step.cpuSeconds),
  ]);
  const end = Math.max(0, ...results.map(({ began, seconds }) => began + seconds));
  const cpu = results.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const table = [[...HEADINGS], ...rows, ['all', '0 s', seconds(end), seconds(cpu)]];
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
