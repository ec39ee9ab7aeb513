import type { DatePart } from '../contract/contract.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { WEEKDAYS } from './weekdays.ts';

/** Whole minutes of the center's wall time since 1970-01-01T00:00, independent of any time zone. */
export type WallMinute = number;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The minute of a date and a time of day; hour 0 to 24, minute 0 to 59. */
export function wallMinute(date: DatePart, hour: number, minute: number): WallMinute {
  return dayNumber(date) * MINUTES_PER_DAY + hour * 60 + minute;
}

/**
 * Days since 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March, so that a leap day is the last day of its year.
 * `Date.UTC` would do the same, except that it moves the years 0 to 99 to the 20th century.
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
function dateOfDay(dayNumber: number): DatePart {
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

export const dateOf = (minute: WallMinute): DatePart => dateOfDay(dayOf(minute));

/** Days since 1970-01-01. */
export const dayOf = (minute: WallMinute): number => Math.floor(minute / MINUTES_PER_DAY);

/** 0 to 1439. */
export const minuteOfDay = (minute: WallMinute): number => minute - dayOf(minute) * MINUTES_PER_DAY;

/** 1 is Monday, 7 Sunday. Source: ISO 8601. */
export function isoWeekday(minute: WallMinute): number {
  // 1970-01-01 was a Thursday.
  const weekday = (dayOf(minute) + 3) % 7;
  return (weekday < 0 ? weekday + 7 : weekday) + 1;
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
  const size = Math.abs(year);
  const yearText = size > 999 ? `${size}` : `${size}`.padStart(4, '0');
  return `${year < 0 ? '-' : ''}${yearText}-${twoDigits(month)}-${twoDigits(day)}`;
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
