import { MINUTES_PER_DAY } from './appointments.ts';
import { WEEKDAYS } from './weekdays.ts';

export interface DatePart {
  readonly year: number;
  readonly month: number;
  /** 1 to 31; always exists in the month. */
  readonly day: number;
}

/** Whole minutes of the center's wall time since 1970-01-01T00:00, independent of any time zone. */
export type WallMinute = number;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The minute of a date and a time of day; hour 0 to 24, minute 0 to 59. */
export function wallMinute(date: DatePart, hour: number, minute: number): WallMinute {
  return dayNumber(date) * MINUTES_PER_DAY + hour * 60 + minute;
}

const MS_PER_DAY = 86_400_000;
const DAYS_IN_400_YEARS = 146_097;

/** Days since 1970-01-01. 400 years later, because `Date.UTC` moves the years 0 to 99 to the 20th century. */
const dayNumber = ({ year, month, day }: DatePart): number =>
  Date.UTC(year + 400, month - 1, day) / MS_PER_DAY - DAYS_IN_400_YEARS;

export function dateOf(minute: WallMinute): DatePart {
  const date = new Date(dayOf(minute) * MS_PER_DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Days since 1970-01-01. */
export const dayOf = (minute: WallMinute): number => Math.floor(minute / MINUTES_PER_DAY);

/** 0 to 1439. */
export const minuteOfDay = (minute: WallMinute): number => minute - dayOf(minute) * MINUTES_PER_DAY;

/** 1 is Monday, 7 Sunday. Source: ISO 8601. */
export function isoWeekday(minute: WallMinute): number {
  // 1970-01-01 was a Thursday.
  return ((((dayOf(minute) + 3) % 7) + 7) % 7) + 1;
}

/** From 0 to 99. */
export const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `2027-01-18T10:15:00`: an XSD dateTime without offset. */
export function formatWallMinute(minute: WallMinute): string {
  return `${formatWallDay(minute)}T${formatClock(minuteOfDay(minute))}:00`;
}

/** `2027-01-18`. */
export function formatWallDay(minute: WallMinute): string {
  const { year, month, day } = dateOf(minute);
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** Minutes of a day, 0 to 1440, as `10:15`. */
export function formatClock(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** `Monday 18 January 2027`, in English regardless of the host's locale. */
export function spellDay(minute: WallMinute): string {
  const { year, month, day } = dateOf(minute);
  return `${WEEKDAYS[isoWeekday(minute) - 1]} ${day} ${MONTHS[month - 1]} ${year}`;
}

/** `10:15 on Monday 18 January 2027`. */
export const spellMinute = (minute: WallMinute): string => `${formatClock(minuteOfDay(minute))} on ${spellDay(minute)}`;
