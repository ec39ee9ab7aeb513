import { formatClock, formatWallDay, minuteOfDay, twoDigits, type WallMinute, wallMinute } from './wall-minute.ts';

export const MS_A_MINUTE = 60_000;
const NS_A_MS = 1_000_000;

/** The beginning of the year 10000 in UTC: the rules of time zones are known, or at least announced, from 1970 until then. */
const RULES_END_MS = wallMinute({ year: 10_000, month: 1, day: 1 }, 0, 0) * MS_A_MINUTE;

/**
 * Milliseconds by which the clocks of a zone are ahead of UTC at an instant, ms. `zone` is an IANA name; throws RangeError for any other
 * text.
 *
 * Before 1970 and after 9999 it is the zone's standard offset.
 */
export function zoneOffset(epochMs: number, zone: string): number {
  if (hasRules(epochMs)) return offsetAt(epochMs, zone);
  const january = wallMinute({ year: 2025, month: 1, day: 1 }, 0, 0) * MS_A_MINUTE;
  const july = wallMinute({ year: 2025, month: 7, day: 1 }, 0, 0) * MS_A_MINUTE;
  return Math.min(offsetAt(january, zone), offsetAt(july, zone));
}

const hasRules = (epochMs: number): boolean => epochMs >= 0 && epochMs < RULES_END_MS;

/** Some of the times between two changes of a zone's offset, the latest ones first: Temporal takes 4 µs to find an offset. */
const knownPeriods = new Map<string, { readonly from: number; readonly to: number; readonly offset: number }[]>();
const MOST_PERIODS = 4;

function periodAt(epochMs: number, zone: string) {
  const periods = knownPeriods.getOrInsertComputed(zone, () => []);
  const known = periods.find(({ from, to }) => epochMs >= from && epochMs < to);
  if (known !== undefined) return known;
  const time = Temporal.Instant.fromEpochMilliseconds(Math.floor(epochMs)).toZonedDateTimeISO(zone);
  const from = time.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity;
  const to = time.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
  const period = { from, to, offset: time.offsetNanoseconds / NS_A_MS };
  periods.unshift(period);
  periods.length = Math.min(periods.length, MOST_PERIODS);
  return period;
}

/** The offset by the rules of the zone at that date, ms, also before 1970: then often the local mean time, with its odd seconds. */
export const offsetAt = (epochMs: number, zone: string): number => periodAt(epochMs, zone).offset;

/** The wall minute in a time zone at an instant, ms. */
export function wallMinuteAt(epochMs: number, zone: string): WallMinute {
  return Math.floor((epochMs + zoneOffset(epochMs, zone)) / MS_A_MINUTE);
}

/** The wall time in a time zone at an instant, ms, to the second: `2027-01-18T10:15:07`. */
export function wallSecondTextAt(epochMs: number, zone: string): string {
  const seconds = Math.floor((epochMs + zoneOffset(epochMs, zone)) / 1000);
  const minute = Math.floor(seconds / 60);
  return `${formatWallDay(minute)}T${formatClock(minuteOfDay(minute))}:${twoDigits(seconds - minute * 60)}`;
}

/** No zone changes its clocks twice within two days, so the offsets a day before and after are those before and after a change. */
const DAY_MS = 86_400_000;

/**
 * The instant, in ms, at which the clocks of a zone show a minute: the later one if they show it twice, undefined if they skip it.
 */
export function lastInstantOf(minute: WallMinute, zone: string): number | undefined {
  const asUtc = minute * MS_A_MINUTE;
  if (!hasRules(asUtc)) return asUtc - zoneOffset(asUtc, zone);
  const [before, after] = [offsetAt(asUtc - DAY_MS, zone), offsetAt(asUtc + DAY_MS, zone)];
  // Set back, the clocks show the minute last with the smaller offset.
  const [later, earlier] = [asUtc - Math.min(before, after), asUtc - Math.max(before, after)];
  if (later + offsetAt(later, zone) === asUtc) return later;
  return earlier + offsetAt(earlier, zone) === asUtc ? earlier : undefined;
}

/**
 * The wall minute at which a span of real minutes ends that begins at a wall minute: where the clocks skip an hour, 01:55 and 15 minutes is
 * 03:10. Of a time that the clocks show twice, only the second occurrence counts as that wall minute, so a span that ends in the first one ends
 * where the second begins. Therefore two spans overlap exactly if their wall minutes do.
 */
export function wallEnd(start: WallMinute, minutes: number, zone: string): WallMinute {
  const end = start + minutes;
  const began = lastInstantOf(start, zone);
  if (began === undefined) return end;
  const endsOn = began + minutes * MS_A_MINUTE;
  if (lastInstantOf(end, zone) === endsOn) return end;
  const endsAt = wallMinuteAt(endsOn, zone);
  return lastInstantOf(endsAt, zone) === endsOn ? endsAt : wallMinuteAfterChange(endsOn, zone);
}

/** The real minutes from one wall minute to another. */
export const realMinutes = (from: WallMinute, to: WallMinute, zone: string): number => {
  const [began, ended] = [lastInstantOf(from, zone), lastInstantOf(to, zone)];
  return began === undefined || ended === undefined ? to - from : (ended - began) / MS_A_MINUTE;
};

/**
 * The same of an appointment, of which nobody kept the length. Many lengths end where the clocks show an hour again: there, it is the usual
 * one, if that is one of them.
 */
export const likelyLength = (from: WallMinute, to: WallMinute, usual: number, zone: string): number =>
  wallEnd(from, usual, zone) === to ? usual : realMinutes(from, to, zone);

/** What the clocks of a zone show right after their first change that follows an instant, ms. */
const wallMinuteAfterChange = (epochMs: number, zone: string): WallMinute =>
  wallMinuteAt(periodAt(epochMs, zone).to, zone);

/** The minute itself, or the first one that the clocks of the zone show after it if they skip it. */
export const firstShown = (minute: WallMinute, zone: string): WallMinute =>
  lastInstantOf(minute, zone) === undefined ? wallMinuteAfterChange(minute * MS_A_MINUTE - DAY_MS, zone) : minute;

/** Whether the name is an IANA time zone. Offsets such as +05:30 are not, because they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    // Intl also accepts abbreviations such as IST, which Temporal would reject only when the first call arrives.
    zoneOffset(0, name);
    return true;
  } catch {
    return false;
  }
}

/** Whether two names are those of one time zone, such as Asia/Calcutta and Asia/Kolkata. */
export function isSameZone(a: string, b: string): boolean {
  const instant = Temporal.Instant.fromEpochMilliseconds(0);
  return instant.toZonedDateTimeISO(a).equals(instant.toZonedDateTimeISO(b));
}

/** Of the last instant that JavaScript has. Source: ECMAScript, 21.4.1.1. */
const LAST_INSTANT_MS = 8.64e15;

/** `2026-11-20T03:00:00.000Z`, from milliseconds since the epoch; the number itself if it is no instant. Source: RFC 3339; HL7 FHIR instant. */
export const formatInstant = (epochMs: number): string =>
  -LAST_INSTANT_MS <= epochMs && epochMs <= LAST_INSTANT_MS
    ? Temporal.Instant.fromEpochMilliseconds(epochMs).toString({ fractionalSecondDigits: 3 })
    : String(epochMs);

/** The instants, in milliseconds, at which the day of an instant in a zone and the next one begin. */
export function dayAround(epochMs: number, zone: string): readonly [from: number, to: number] {
  const start = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).startOfDay();
  return [start.epochMilliseconds, start.add({ days: 1 }).epochMilliseconds];
}

/** The instants, in milliseconds, at which a day such as `2026-11-20` and the next one begin in a zone; undefined for any other text. */
export function instantsOfDay(day: string, zone: string): readonly [from: number, to: number] | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  try {
    const date = Temporal.PlainDate.from(day);
    const startOf = (d: Temporal.PlainDate) => d.toZonedDateTime(zone).epochMilliseconds;
    return [startOf(date), startOf(date.add({ days: 1 }))];
  } catch {
    return undefined;
  }
}
