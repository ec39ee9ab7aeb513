/** Starting with Monday, as in ISO 8601. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/**
 * Days of the week as people write them: `Mon`, `Thurs.`, `Mondays`, `1`, `Mon-Sat`, `Mon to Fri & Sun`, `Sat-Mon`, `Daily`. Ascending, 1
 * Monday to 7 Sunday; undefined for any other text.
 */
export function readWeekdays(text: string): readonly number[] | undefined {
  const days = new Set<number>();
  const listed = text.trim().replace(/^(?:daily|every ?day|all days)$/i, '1-7');
  const ranges = listed.split(/[-\u2013]|\bto\b/i).map((end) => end.trim());
  const parts = ranges.join('-').split(/(?:[\s,;&/]|\band\b)+/i);
  for (const part of parts) {
    const [first = '', last = first, ...more] = part.split('-');
    const [from, to] = [weekdayOf(first), weekdayOf(last)];
    if (from === undefined || to === undefined || more.length > 0) return undefined;
    for (let day = from; ; day = (day % 7) + 1) {
      days.add(day);
      if (day === to) break;
    }
  }
  return [...days].sort((a, b) => a - b);
}

function weekdayOf(text: string): number | undefined {
  if (/^[1-7]$/.test(text)) return Number(text);
  const word = text.toLowerCase().replace(/\.$|(?<=day)s$/, '');
  const index = WEEKDAYS.findIndex((name) => word.length >= 3 && name.toLowerCase().startsWith(word));
  return index === -1 ? undefined : index + 1;
}

/** Ascending weekdays, three or more in a row as a range: `Mon-Sat`, `Mon Wed`. */
export function writeWeekdays(days: readonly number[], separator = ' '): string {
  const parts: string[] = [];
  for (let at = 0; at < days.length; ) {
    const first = days[at] ?? 0;
    let run = 1;
    while (days[at + run] === first + run) run++;
    const shortNames = days.slice(at, at + run).map((day) => (WEEKDAYS[day - 1] ?? '').slice(0, 3));
    parts.push(run >= 3 ? `${shortNames[0]}-${shortNames.at(-1)}` : shortNames.join(separator));
    at += run;
  }
  return parts.join(separator);
}
