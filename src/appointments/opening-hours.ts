import { formatClock, formatWallDay, isoWeekday, type WallMinute } from '../vocabulary/wall-minute.ts';
import { writeWeekdays } from '../vocabulary/weekdays.ts';

/** A weekly range of a doctor's hours. Its slots start at `from` and follow one another; the last one ends at or before `to`. */
export interface OpeningRange {
  /** 1 is Monday, 7 Sunday. */
  readonly weekday: number;
  /** Minutes of the day, 0 to 1439. */
  readonly from: number;
  /** Minutes of the day; greater than `from`, at most 1440. */
  readonly to: number;
  /** First day on which the range applies, `YYYY-MM-DD`. */
  readonly validFrom?: string | null | undefined;
  /** Last day on which the range applies, `YYYY-MM-DD`. */
  readonly validTo?: string | null | undefined;
}

/** The ranges that apply on the day of a minute. */
export function openingsOn(openings: readonly OpeningRange[], minute: WallMinute): readonly OpeningRange[] {
  const weekday = isoWeekday(minute);
  const ofDay = openings.filter((range) => range.weekday === weekday);
  return currentOpenings(ofDay, minute);
}

/** The ranges, for any weekday, whose validity includes the day of a minute. */
function currentOpenings(openings: readonly OpeningRange[], minute: WallMinute): readonly OpeningRange[] {
  const day = formatWallDay(minute);
  return openings.filter(({ validFrom, validTo }) => (validFrom ?? day) <= day && day <= (validTo ?? day));
}

/** Opening hours in words: `Mon-Sat`, and `09:00-13:00, 17:00-20:00`. */
export interface DescribedHours {
  readonly OPDays?: string;
  readonly OPTimings?: string;
}

/** What stands for the days and the hours of a doctor whose hours have all ended. */
export const NO_HOURS = 'None';

/**
 * What a list of doctors says about opening hours on a day: nothing for a doctor who accepts any time; otherwise the hours in force;
 * otherwise those that begin next, with their first day; `None` if all have ended.
 */
export function describeHours(openings: readonly OpeningRange[], today: WallMinute): DescribedHours {
  if (openings.length === 0) return {};
  const current = currentOpenings(openings, today);
  if (current.length > 0) return describeOpenings(current);
  const day = formatWallDay(today);
  const next = openings.flatMap(({ validFrom }) => (validFrom != null && validFrom > day ? [validFrom] : [])).sort()[0];
  if (next === undefined) return { OPDays: NO_HOURS, OPTimings: NO_HOURS };
  const described = describeOpenings(openings.filter(({ validFrom }) => validFrom === next));
  return { ...described, OPTimings: `${described.OPTimings} from ${next}` };
}

/**
 * Opening hours for people: `{ OPDays: 'Mon-Sat', OPTimings: '09:00-13:00, 17:00-20:00' }`. If the hours differ between days, OPTimings
 * names the days: `Mon-Fri 09:00-13:00; Sat 10:00-12:00`. Both are absent without opening hours.
 */
export function describeOpenings(openings: readonly OpeningRange[]): DescribedHours {
  const days = [1, 2, 3, 4, 5, 6, 7].filter((day) => openings.some(({ weekday }) => weekday === day));
  const groups = [...Map.groupBy(days, (day) => timingsOf(openings.filter(({ weekday }) => weekday === day)))];
  const [first] = groups;
  if (first === undefined) return {};
  const OPTimings =
    groups.length === 1
      ? first[0]
      : groups.map(([timings, sameDays]) => `${writeWeekdays(sameDays, ', ')} ${timings}`).join('; ');
  return { OPDays: writeWeekdays(days, ', '), OPTimings };
}

function timingsOf(ranges: readonly OpeningRange[]): string {
  const sorted = ranges.toSorted((a, b) => a.from - b.from || a.to - b.to);
  return [...new Set(sorted.map(({ from, to }) => `${formatClock(from)}-${formatClock(to)}`))].join(', ');
}
