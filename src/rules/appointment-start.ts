import type { DatePart, DateTimeValue, TimePart } from '../contract/contract.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { shown } from '../vocabulary/text.ts';
import { lastInstantOf, zoneOffset } from './time-zone.ts';
import { dateOf, formatClock, minuteOfDay, spellMinute, type WallMinute, wallMinute } from './wall-minute.ts';

/** A date or time, and the name of the parameter that contained it. */
export interface NamedDateTime {
  readonly value: DateTimeValue | undefined;
  readonly name: string;
}

const MIDNIGHT: TimePart = { hour: 0, minute: 0, second: 0, fraction: '' };

/** A date and a time of day, with or without an offset. */
type DatedValue = DateTimeValue & { readonly date: DatePart };

/** The value as wall time of a zone. A value with an offset is converted; one without is wall time already. */
export function inZone({ date, time = MIDNIGHT, offset }: DatedValue, zone: string): DatedValue {
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

const UNSET_MINUTE = wallMinute({ year: 1, month: 1, day: 1 }, 0, 0);

/** Whether the value counts as absent: it is absent, or it is .NET's unset DateTime, 0001-01-01T00:00:00 without offset or in UTC. */
export function isUnset(value: DateTimeValue | undefined): boolean {
  if (value === undefined) return true;
  const { date, time = MIDNIGHT, offset = 0 } = value;
  if (date === undefined || offset !== 0 || time.second !== 0 || time.fraction !== '') return false;
  return wallMinute(date, time.hour, time.minute) === UNSET_MINUTE;
}

/** Midnight of the value's day in the zone. Throws Refusal InvalidInput if it is unset or has no date. */
export function appointmentDay(value: DateTimeValue | undefined, zone: string, parameterName: string): WallMinute {
  if (value?.date === undefined || isUnset(value)) {
    throw new Refusal(
      'InvalidInput',
      `Parameter ${parameterName}: a date is required, such as 2027-01-18.`,
      parameterName,
    );
  }
  const { date, time, offset } = value;
  // A date alone means that day wherever it was written, as in ASMX: an xsd:date with an offset has no time of day to convert.
  return wallMinute(time === undefined ? date : inZone({ date, time, offset }, zone).date, 0, 0);
}

/**
 * The start of an appointment: the day of `date` and the time of day of `time`, each converted to the zone first. A time with an offset but
 * without a date of its own is taken to be on that day.
 * Throws Refusal InvalidInput if one of them is missing, and DoctorNotAvailable for a time that is not a whole minute, or that the clocks
 * of the zone skip. The two occurrences of a time that the clocks show twice are not distinguished.
 */
export function appointmentStart(date: NamedDateTime, time: NamedDateTime, zone: string): WallMinute {
  const day = appointmentDay(date.value, zone, date.name);
  const { value, name } = time;
  const clock = value?.time === undefined || isUnset(value) ? undefined : timeOfDay(value, day, zone);
  if (clock === undefined) {
    throw new Refusal('InvalidInput', `Parameter ${name}: a time of day is required, such as 10:15:00.`, name);
  }
  if (clock.second !== 0 || clock.fraction !== '') {
    throw new Refusal(
      'DoctorNotAvailable',
      `Parameter ${name}: ${spellSeconds(clock)} is not a whole minute; expected a time such as ${formatClock(minuteOf(clock))}:00.`,
      name,
    );
  }
  const start = day + minuteOf(clock);
  if (lastInstantOf(start, zone) === undefined) {
    throw new Refusal(
      'DoctorNotAvailable',
      `Parameter ${name}: ${spellMinute(start)} does not exist in ${zone}, because its clocks skip it; expected another time.`,
      name,
    );
  }
  return start;
}

const minuteOf = ({ hour, minute }: TimePart): number => hour * 60 + minute;

/** The time of day with its seconds. Programs that send the current time often send a fraction, which can have any number of digits. */
function spellSeconds(clock: TimePart): string {
  const { second, fraction } = clock;
  const text = `${formatClock(minuteOf(clock))}:${String(second).padStart(2, '0')}`;
  return fraction === '' ? text : shown(`${text}.${fraction}`);
}

function timeOfDay(value: DateTimeValue, day: WallMinute, zone: string): TimePart | undefined {
  return value.offset === undefined ? value.time : inZone({ ...value, date: value.date ?? dateOf(day) }, zone).time;
}
