import type { DatePart, DateTimeValue, TimePart } from '../contract/contract.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { WEEKDAYS } from './weekdays.ts';

/** Whole minutes since 1970-01-01T00:00 on the wall clock of the center, without regard to any zone. */
export type WallMinute = number;

/** A date or time and the name of the parameter that gave it. */
export interface NamedDateTime {
  readonly value: DateTimeValue | undefined;
  readonly name: string;
}

export const MINUTES_A_DAY = 1440;
const MS_A_MINUTE = 60_000;
const MS_A_QUARTER = 15 * MS_A_MINUTE;
const MS_A_DAY = MINUTES_A_DAY * MS_A_MINUTE;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** The minute of a day and a time of day; hour 0 to 24, minute 0 to 59. */
export function wallMinute(date: DatePart, hour: number, minute: number): WallMinute {
  return dayNumber(date) * MINUTES_A_DAY + hour * 60 + minute;
}

/**
 * Days since 1970-01-01 in the proleptic Gregorian calendar. Counts years from March, so that a leap day ends its year.
 * `Date.UTC` would do but for the years 0 to 99, which it moves to the 20th century.
 */
function dayNumber({ year, month, day }: DatePart): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse of `dayNumber`. */
function dateOf(dayNumber: number): DatePart {
  const z = dayNumber + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/** Days since 1970-01-01. */
export const dayOf = (minute: WallMinute): number => Math.floor(minute / MINUTES_A_DAY);

/** 0 to 1439. */
export const minuteOfDay = (minute: WallMinute): number => minute - dayOf(minute) * MINUTES_A_DAY;

/** 1 is Monday, 7 Sunday. Source: ISO 8601. */
export function isoWeekday(minute: WallMinute): number {
  // 1970-01-01 was a Thursday.
  const weekday = (dayOf(minute) + 3) % 7;
  return (weekday < 0 ? weekday + 7 : weekday) + 1;
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** `2027-01-18T10:15:00`: an XSD dateTime without offset. */
export function formatWallMinute(minute: WallMinute): string {
  return `${formatWallDay(minute)}T${formatClock(minuteOfDay(minute))}:00`;
}

/** `2027-01-18`. */
export function formatWallDay(minute: WallMinute): string {
  const { year, month, day } = dateOf(dayOf(minute));
  const size = Math.abs(year);
  const yearText = size > 999 ? `${size}` : `${size}`.padStart(4, '0');
  return `${year < 0 ? '-' : ''}${yearText}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** Minutes of a day, 0 to 1440, as `10:15`. */
export function formatClock(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** `Monday 18 January 2027`, in English whatever the host's locale. */
export function spellDay(minute: WallMinute): string {
  const { year, month, day } = dateOf(dayOf(minute));
  return `${WEEKDAYS[isoWeekday(minute) - 1]} ${day} ${MONTHS[month - 1]} ${year}`;
}

/** `10:15 on Monday 18 January 2027`. */
export const spellMinute = (minute: WallMinute): string => `${formatClock(minuteOfDay(minute))} on ${spellDay(minute)}`;

/** The minute that the wall clock of a zone shows at an instant. `zone` is an IANA name; throws RangeError for another. */
export function wallMinuteAt(epochMs: number, zone: string): WallMinute {
  return Math.floor((epochMs + offsetAt(epochMs, zone)) / MS_A_MINUTE);
}

/** The second that the wall clock of a zone shows at an instant: `2027-01-18T10:15:07`. */
export function wallSecondTextAt(epochMs: number, zone: string): string {
  const seconds = Math.floor((epochMs + offsetAt(epochMs, zone)) / 1000);
  const minute = Math.floor(seconds / 60);
  return `${formatWallDay(minute)}T${formatClock(minuteOfDay(minute))}:${twoDigits(seconds - minute * 60)}`;
}

/** Spans of a zone in which the offset is known to stand still, by their number since 1970. */
interface ZoneSpans {
  readonly days: Map<number, number>;
  readonly quarters: Map<number, number>;
}

/** A booking a day for some years. Past it the oldest knowledge is thrown away, so dates sent in cannot fill the memory. */
const MAX_SPANS = 2000;
const zones = new Map<string, ZoneSpans>();

/** Milliseconds east of UTC at an instant. Asking Temporal costs microseconds, so spans without a change are remembered. */
function offsetAt(epochMs: number, zone: string): number {
  let spans = zones.get(zone);
  if (spans === undefined) {
    temporalOffset(epochMs, zone); // Throws for a name that is no zone, before anything is remembered of it.
    spans = { days: new Map(), quarters: new Map() };
    zones.set(zone, spans);
  }
  const ofDay = steadyOffset(spans.days, epochMs, MS_A_DAY, zone);
  if (!Number.isNaN(ofDay)) return ofDay;
  const ofQuarter = steadyOffset(spans.quarters, epochMs, MS_A_QUARTER, zone);
  return Number.isNaN(ofQuarter) ? temporalOffset(epochMs, zone) : ofQuarter;
}

/** The offset of a whole span, or NaN if it changes within. No zone has gone forth and back within a day since 1970. */
function steadyOffset(spans: Map<number, number>, epochMs: number, length: number, zone: string): number {
  const number = Math.floor(epochMs / length);
  const known = spans.get(number);
  if (known !== undefined) return known;
  const first = temporalOffset(number * length, zone);
  const last = temporalOffset((number + 1) * length - 1, zone);
  const offset = first === last ? first : Number.NaN;
  if (spans.size >= MAX_SPANS) spans.clear();
  spans.set(number, offset);
  return offset;
}

function temporalOffset(epochMs: number, zone: string): number {
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(epochMs));
  return instant.toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000;
}

/** Whether the name is an IANA time zone. Offsets such as +05:30 are none: they know no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** 1970 and 10000 in minutes: where the rules of the zones are known, or at least promised. */
const RULES_FROM = 0;
const RULES_TO = wallMinute({ year: 10_000, month: 1, day: 1 }, 0, 0);

/**
 * The zone's offset in milliseconds outside the years of its rules. Programs that send a time of day only put it on a day such as
 * 0001-01-01, 1899-12-30 or 1900-01-01 with the offset of their standard time; the local mean time of those years, with its
 * odd seconds, would change the time of day.
 */
function standardOffset(zone: string): number {
  const january = wallMinute({ year: 2025, month: 1, day: 1 }, 0, 0) * MS_A_MINUTE;
  const july = wallMinute({ year: 2025, month: 7, day: 1 }, 0, 0) * MS_A_MINUTE;
  return Math.min(offsetAt(january, zone), offsetAt(july, zone));
}

const MIDNIGHT: TimePart = { hour: 0, minute: 0, second: 0, fraction: '' };

/**
 * The value on the wall clock of a zone: one without offset is already there, one with an offset is converted.
 * Throws Refusal InvalidInput for a time with an offset but no date, since a zone's offset depends on the day.
 */
export function inZone(value: DateTimeValue, zone: string, parameter?: string): DateTimeValue {
  const { date, offset } = value;
  if (offset === undefined) return value;
  if (date === undefined) {
    const subject = parameter === undefined ? 'A time' : `Parameter ${parameter}: a time`;
    throw new Refusal(
      'InvalidInput',
      `${subject} with an offset needs a date as well; expected a date and a time.`,
      parameter,
    );
  }
  const time = value.time ?? MIDNIGHT;
  const utc = wallMinute(date, time.hour, time.minute) - offset;
  const known = utc >= RULES_FROM && utc < RULES_TO;
  const east = known ? offsetAt(utc * MS_A_MINUTE + time.second * 1000, zone) : standardOffset(zone);
  const seconds = utc * 60 + time.second + Math.floor(east / 1000);
  const minute = Math.floor(seconds / 60);
  const ofDay = minuteOfDay(minute);
  return {
    date: dateOf(dayOf(minute)),
    time: {
      hour: Math.floor(ofDay / 60),
      minute: ofDay % 60,
      second: seconds - minute * 60,
      fraction: time.fraction,
    },
    offset: undefined,
  };
}

/** Whether the value counts as absent: it is, or it is .NET's unset DateTime, 0001-01-01T00:00:00 without offset or in UTC. */
export function isUnset(value: DateTimeValue | undefined): boolean {
  if (value === undefined) return true;
  const { date, time = MIDNIGHT, offset = 0 } = value;
  return (
    date !== undefined &&
    date.year === 1 &&
    date.month === 1 &&
    date.day === 1 &&
    time.hour === 0 &&
    time.minute === 0 &&
    time.second === 0 &&
    time.fraction === '' &&
    offset === 0
  );
}

/** Midnight of the value's day in the zone. Throws Refusal InvalidInput for one that is unset or has no date. */
export function appointmentDay(value: DateTimeValue | undefined, zone: string, parameterName: string): WallMinute {
  const local = value === undefined || isUnset(value) ? undefined : inZone(value, zone, parameterName);
  if (local?.date === undefined) {
    throw new Refusal(
      'InvalidInput',
      `Parameter ${parameterName}: a date is needed, such as 2027-01-18.`,
      parameterName,
    );
  }
  return wallMinute(local.date, 0, 0);
}

/**
 * The start of an appointment: the day of `date` and the time of day of `time`, each converted to the zone first.
 * Throws Refusal InvalidInput where a half is missing, and DoctorNotAvailable for a time that is not on a whole minute or that
 * the clocks of the zone skip. Of a time that they show twice, no difference is made.
 */
export function appointmentStart(date: NamedDateTime, time: NamedDateTime, zone: string): WallMinute {
  const day = appointmentDay(date.value, zone, date.name);
  const { value, name } = time;
  const clock = value === undefined || isUnset(value) ? undefined : inZone(value, zone, name).time;
  if (clock === undefined) {
    throw new Refusal('InvalidInput', `Parameter ${name}: a time of day is needed, such as 10:15:00.`, name);
  }
  if (clock.second !== 0 || clock.fraction !== '') {
    throw new Refusal(
      'DoctorNotAvailable',
      `Parameter ${name}: the time has seconds; expected whole minutes, such as ${formatClock(clock.hour * 60 + clock.minute)}:00.`,
      name,
    );
  }
  const start = day + clock.hour * 60 + clock.minute;
  if (!exists(start, zone)) {
    throw new Refusal(
      'DoctorNotAvailable',
      `Parameter ${name}: ${spellMinute(start)} does not exist in ${zone}, its clocks skip it; expected another time.`,
      name,
    );
  }
  return start;
}

/** Whether the clocks of the zone ever show this minute. */
function exists(minute: WallMinute, zone: string): boolean {
  if (minute < RULES_FROM + MINUTES_A_DAY || minute >= RULES_TO - MINUTES_A_DAY) return true;
  const asUtc = minute * MS_A_MINUTE;
  // The offset in force is the one of the day before or of the day after: a zone changes less often than that.
  const before = offsetAt(asUtc - MS_A_DAY, zone);
  if (offsetAt(asUtc - before, zone) === before) return true;
  const after = offsetAt(asUtc + MS_A_DAY, zone);
  return offsetAt(asUtc - after, zone) === after;
}
