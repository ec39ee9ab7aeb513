import { formatClock, formatWallDay, minuteOfDay, twoDigits, type WallMinute } from './wall-minute.ts';

export const MS_A_MINUTE = 60_000;

/** The wall minute in a time zone at an instant. `zone` is an IANA name; throws RangeError for any other text. */
export function wallMinuteAt(epochMs: number, zone: string): WallMinute {
  return Math.floor((epochMs + zoneOffset(epochMs, zone)) / MS_A_MINUTE);
}

/** The wall time in a time zone at an instant, to the second: `2027-01-18T10:15:07`. */
export function wallSecondTextAt(epochMs: number, zone: string): string {
  const seconds = Math.floor((epochMs + zoneOffset(epochMs, zone)) / 1000);
  const minute = Math.floor(seconds / 60);
  return `${formatWallDay(minute)}T${formatClock(minuteOfDay(minute))}:${twoDigits(seconds - minute * 60)}`;
}

/** A period without a clock change in a zone: instants in ms, from the first until just before the second. */
interface Period {
  readonly from: number;
  readonly to: number;
  /** Milliseconds east of UTC. */
  readonly offset: number;
}

/** Enough for bookings within a year, and for records of a few more. */
const MOST_PERIODS = 8;
/** By zone, the newest first; limited, so that the dates in requests cannot fill the memory. */
const periodsOf = new Map<string, Period[]>();

/**
 * Milliseconds east of UTC at an instant. Querying Temporal takes microseconds, and a booking does so three times, so the result is cached
 * until the next clock change. Throws RangeError for a name that is not a zone.
 */
export function zoneOffset(epochMs: number, zone: string): number {
  const known = periodsOf.get(zone) ?? [];
  for (const period of known) if (period.from <= epochMs && epochMs < period.to) return period.offset;
  const period = periodAt(epochMs, zone);
  periodsOf.set(zone, [period, ...known.slice(0, MOST_PERIODS - 1)]);
  return period.offset;
}

function periodAt(epochMs: number, zone: string): Period {
  const at = Temporal.Instant.fromEpochMilliseconds(Math.floor(epochMs)).toZonedDateTimeISO(zone);
  // `getTimeZoneTransition('previous')` excludes a transition at the instant itself, so it is asked from one nanosecond later.
  const from = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const to = at.getTimeZoneTransition('next');
  return {
    from: from?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: to?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: at.offsetNanoseconds / 1_000_000,
  };
}

/** Whether the name is an IANA time zone. Offsets such as +05:30 are not, because they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    // Intl also accepts abbreviations such as IST, which Temporal would reject only when the first call arrives.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
