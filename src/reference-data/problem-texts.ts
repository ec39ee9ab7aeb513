import { type Problem, problemSentence } from './problem.ts';

/** Number of values that are reported one by one. If more have the same mistake, it is reported once. */
const MOST_ALIKE = 5;
/** Number of line ranges that are named. */
const MOST_RANGES = 8;

/** One sentence per mistake, in the order of the problems. A mistake that occurs on many lines is reported once, with its lines. */
export function problemTexts(problems: readonly Problem[]): string[] {
  const alike = Map.groupBy(problems, ({ file, column, message }) => JSON.stringify([file, column, message]));
  const first = new Map<Problem, string>();
  for (const group of alike.values()) {
    const byValue = [...Map.groupBy(group, ({ value }) => value).values()];
    const told = byValue.length > MOST_ALIKE ? [group] : byValue;
    for (const same of told) {
      const [problem] = same;
      if (problem !== undefined) first.set(problem, textOf(problem, same, told === byValue ? 0 : byValue.length - 1));
    }
  }
  return problems.flatMap((problem) => first.get(problem) ?? []);
}

function textOf(problem: Problem, same: readonly Problem[], others: number): string {
  const lines = [...new Set(same.flatMap(({ line }) => line ?? []))].sort((a, b) => a - b);
  return problemSentence(problem, linesText(lines), others === 0 ? '' : ` (and ${others} other values)`);
}

/** `line 2`, or `lines 2, 5 to 9 and 12`. */
function linesText(lines: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.to === line - 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  const named = ranges.slice(0, MOST_RANGES);
  const texts = named.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
  const rest = lines.length - named.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  if (rest > 0) texts.push(`${rest} more`);
  const list = texts.length > 1 ? `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}` : (texts[0] ?? '');
  return lines.length === 0 ? '' : `line${lines.length === 1 ? '' : 's'} ${list}`;
}
