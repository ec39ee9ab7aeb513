import type { DateTimeValue, TimePart } from '../contract/contract.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { lastInstantOf, MS_A_MINUTE, offsetAt, zoneOffset } from '../vocabulary/time-zone.ts';
import type { DatePart } from '../vocabulary/wall-minute.ts';
import {
  dateOf,
  formatClock,
  formatWallDay,
  minuteOfDay,
  type WallMinute,
  wallMinute,
} from '../vocabulary/wall-minute.ts';
import { skipped } from './wanted-slot.ts';

const MIDNIGHT: TimePart = { hour: 0, minute: 0, second: 0, fraction: '' };

/** A date and a time of day, with or without an offset. */
type DatedValue = DateTimeValue & { readonly date: DatePart };

/**
 * The value as wall time of a zone; 24:00 is 00:00 of the next day. A value with an offset is converted, unless that is the zone's own; one
 * without is wall time already.
 */
export function inZone(
  { date, time = MIDNIGHT, offset }: DatedValue,
  zone: string,
): DatedValue & { readonly time: TimePart } {
  const sent = wallMinute(date, time.hour, time.minute) * 60 + time.second;
  const utc = sent - (offset ?? 0) * 60;
  const seconds = offset === undefined || isOwnOffset(offset, utc, zone) ? sent : utc + secondsAhead(utc, offset, zone);
  const minute = Math.floor(seconds / 60);
  const ofDay = minuteOfDay(minute);
  return {
    date: dateOf(minute),
    time: { hour: Math.floor(ofDay / 60), minute: ofDay % 60, second: seconds - minute * 60, fraction: time.fraction },
    offset: undefined,
  };
}

/** Seconds, by which the local mean time of a zone was ahead of UTC before it had any other. */
const localMean = (zone: string): number =>
  offsetAt(wallMinute({ year: 1, month: 1, day: 1 }, 0, 0) * MS_A_MINUTE, zone) / 1000;

/**
 * Whether an offset, minutes, is what a program at the center writes beside its own wall time. Beside the date 1900-01-01, PHP, Java and Python
 * write the local mean time cut to minutes, .NET the next minute; pytz writes it beside any date. No other offset is like it: all are
 * multiples of 15 minutes.
 */
function isOwnOffset(offset: number, utc: number, zone: string): boolean {
  const isOffset = (seconds: number): boolean => Math.abs(offset * 60 - seconds) < 60;
  return offset % 15 !== 0 && (isOffset(offsetAt(utc * 1000, zone) / 1000) || isOffset(localMean(zone)));
}

/**
 * By how many seconds the zone was ahead in the opinion of the program that sent a time, s, in UTC. Before 1970 it was the standard offset or,
 * from Node, Java and PHP, the local mean time, from .NET that in whole minutes: the one by which the time is a rounder one.
 */
function secondsAhead(utc: number, offset: number, zone: string): number {
  const standard = Math.floor(zoneOffset(utc * 1000, zone) / 1000);
  if (utc >= 0 || offset !== 0) return standard;
  const own = Math.floor(offsetAt(utc * 1000, zone) / 1000);
  const minute = own - (own % 60);
  const candidates = [standard, own, minute, minute + 60 * Math.sign(own)];
  return [300, 60, 1].flatMap((unit) => candidates.filter((ahead) => (utc + ahead) % unit === 0))[0] ?? standard;
}

/** Whether it is .NET's unset DateTime, 0001-01-01T00:00:00, with or without an offset. */
const isUnset = ({ date, time = MIDNIGHT }: DateTimeValue): boolean =>
  date?.year === 1 && date.month === 1 && date.day === 1 && time.hour === 0 && time.minute === 0;

/**
 * Midnight of the value's day in the zone. Throws Refusal InvalidInput if it has no date, or the unset one, 0001-01-01, and for days that the
 * records cannot name: an offset leads from 9999 to 10000.
 */
export function appointmentDay(value: DateTimeValue | undefined, zone: string, parameterName: string): WallMinute {
  if (value?.date === undefined || isUnset({ ...value, time: undefined })) {
    throw new Refusal('InvalidInput', 'a date is required, such as 2027-01-18.', parameterName);
  }
  const { date, time, offset } = value;
  // A date alone means that day wherever it was written, as in ASMX: an xsd:date with an offset has no time of day to convert.
  const day = time === undefined ? date : inZone({ date, time, offset }, zone).date;
  if (day.year < 1 || day.year > 9999) {
    throw new Refusal('InvalidInput', 'a day of the years 1 to 9999 is required, such as 2027-01-18.', parameterName);
  }
  return wallMinute(day, 0, 0);
}

/**
 * The start of an appointment: the day of one parameter and the time of day of another, each converted to the zone first. A time with an offset but
 * without a date of its own is taken to be on that day; 24:00 ends it. Seconds are cut: a program that sends the current time means this minute.
 * Returns it with the beginning of a sentence about it: `Parameters app_date and app_time (10:00Z, 15:30 at the center): `.
 * Throws Refusal InvalidInput if one of them is missing, and DoctorNotAvailable for a time that the clocks of the zone skip. The two
 * occurrences of a time that the clocks show twice are not distinguished.
 */
export function appointmentStart<Name extends string>(
  sent: { readonly [Each in Name]?: DateTimeValue | undefined },
  [dateName, name]: readonly [date: Name, time: Name],
  zone: string,
) {
  const { [dateName]: date, [name]: value } = sent;
  const isAtEnd = value?.time?.hour === 24;
  // Both may contain the same 24:00.
  const dated = isAtEnd && date?.time?.hour === 24 ? { ...date, time: MIDNIGHT } : date;
  const day = appointmentDay(dated, zone, dateName);
  if (value?.time === undefined || isUnset(value)) {
    throw new Refusal('InvalidInput', 'a time of day is required, such as 10:15:00.', name);
  }
  const clock = minuteOf(inZone({ ...value, date: value.date ?? dateOf(day) }, zone).time);
  const start = day + clock + (isAtEnd ? MINUTES_PER_DAY : 0);
  if (lastInstantOf(start, zone) === undefined) {
    throw new Refusal('DoctorNotAvailable', `${skipped(start, zone)}.`, name);
  }
  const converted: string[] = [];
  const sentDay = formatWallDay(wallMinute(date?.date ?? dateOf(day), 0, 0));
  if (sentDay !== formatWallDay(day)) {
    const sent = `${sentDay}T${formatClock(minuteOf(date?.time ?? MIDNIGHT))}`;
    converted.push(`${sent}${offsetText(date?.offset)}, ${formatWallDay(day)} at the center`);
  }
  if (clock !== minuteOf(value.time) % MINUTES_PER_DAY) {
    converted.push(
      `${formatClock(minuteOf(value.time))}${offsetText(value.offset)}, ${formatClock(clock)} at the center`,
    );
  }
  const names = `Parameters ${dateName} and ${name}`;
  return { start, subject: `${converted.length === 0 ? names : `${names} (${converted.join('; ')})`}: ` };
}

const minuteOf = ({ hour, minute }: TimePart): number => hour * 60 + minute;

/** `Z`, `+05:30`. */
const offsetText = (offset: number | undefined): string =>
  offset === undefined ? '' : offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${formatClock(Math.abs(offset))}`;
