import type { DatePart, DateTimeValue, TimePart } from '../contract/contract.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { lastInstantOf, zoneOffset } from './time-zone.ts';
import {
  dateOf,
  formatClock,
  formatWallDay,
  minuteOfDay,
  spellMinute,
  type WallMinute,
  wallMinute,
} from './wall-minute.ts';

/** A date or time, and the name of the parameter that contained it. */
export interface NamedDateTime {
  readonly value: DateTimeValue | undefined;
  readonly name: string;
}

const MIDNIGHT: TimePart = { hour: 0, minute: 0, second: 0, fraction: '' };

/** A date and a time of day, with or without an offset. */
type DatedValue = DateTimeValue & { readonly date: DatePart };

/** The value as wall time of a zone. A value with an offset is converted; one without is wall time already. */
export function inZone(
  { date, time = MIDNIGHT, offset }: DatedValue,
  zone: string,
): DatedValue & { readonly time: TimePart } {
  if (offset === undefined) return { date, time, offset };
  const utc = (wallMinute(date, time.hour, time.minute) - offset) * 60 + time.second;
  const seconds = utc + Math.floor(zoneOffset(utc * 1000, zone) / 1000);
  const minute = Math.floor(seconds / 60);
  const ofDay = minuteOfDay(minute);
  return {
    date: dateOf(minute),
    time: { hour: Math.floor(ofDay / 60), minute: ofDay % 60, second: seconds - minute * 60, fraction: time.fraction },
    offset: undefined,
  };
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
    throw new Refusal(
      'InvalidInput',
      `Parameter ${parameterName}: a date is required, such as 2027-01-18.`,
      parameterName,
    );
  }
  const { date, time, offset } = value;
  // A date alone means that day wherever it was written, as in ASMX: an xsd:date with an offset has no time of day to convert.
  const day = time === undefined ? date : inZone({ date, time, offset }, zone).date;
  if (day.year < 1 || day.year > 9999) {
    throw new Refusal(
      'InvalidInput',
      `Parameter ${parameterName}: a day of the years 1 to 9999 is required, such as 2027-01-18.`,
      parameterName,
    );
  }
  return wallMinute(day, 0, 0);
}

/**
 * The start of an appointment: the day of `date` and the time of day of `time`, each converted to the zone first. A time with an offset but
 * without a date of its own is taken to be on that day. Seconds are cut: a program that sends the current time means this minute.
 * Returns it with the names of its parameters and what was converted, such as `app_date and app_time (10:00Z, 15:30 at the center)`.
 * Throws Refusal InvalidInput if one of them is missing, and DoctorNotAvailable for a time that the clocks of the zone skip. The two
 * occurrences of a time that the clocks show twice are not distinguished.
 */
export function appointmentStart(date: NamedDateTime, time: NamedDateTime, zone: string) {
  const day = appointmentDay(date.value, zone, date.name);
  const { value, name } = time;
  if (value?.time === undefined || isUnset(value)) {
    throw new Refusal('InvalidInput', `Parameter ${name}: a time of day is required, such as 10:15:00.`, name);
  }
  const clock = minuteOf(inZone({ ...value, date: value.date ?? dateOf(day) }, zone).time);
  const start = day + clock;
  if (lastInstantOf(start, zone) === undefined) {
    throw new Refusal(
      'DoctorNotAvailable',
      `Parameter ${name}: ${spellMinute(start)} does not exist in ${zone}, because its clocks skip it; expected another time.`,
      name,
    );
  }
  const converted: string[] = [];
  const sentDay = formatWallDay(wallMinute(date.value?.date ?? dateOf(day), 0, 0));
  if (sentDay !== formatWallDay(day)) {
    const sent = `${sentDay}T${formatClock(minuteOf(date.value?.time ?? MIDNIGHT))}`;
    converted.push(`${sent}${offsetText(date.value?.offset)}, ${formatWallDay(day)} at the center`);
  }
  if (clock !== minuteOf(value.time)) {
    converted.push(
      `${formatClock(minuteOf(value.time))}${offsetText(value.offset)}, ${formatClock(clock)} at the center`,
    );
  }
  const names = `${date.name} and ${time.name}`;
  return { start, parameters: converted.length === 0 ? names : `${names} (${converted.join('; ')})` };
}

const minuteOf = ({ hour, minute }: TimePart): number => hour * 60 + minute;

/** `Z`, `+05:30`. */
const offsetText = (offset = 0): string =>
  offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${formatClock(Math.abs(offset))}`;
