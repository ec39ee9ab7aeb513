import { statusText } from '../appointments/next-status.ts';
import { type DateOrder, parseFormDateTime } from '../contract/form-date-time.ts';
import { INT_MAX, parseXsdInt } from '../contract/parameter-values.ts';
import { AppointmentStatus, MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { bareText } from '../vocabulary/patients.ts';
import { isPhoneRegion } from '../vocabulary/phone.ts';
import { withLineFeeds } from '../vocabulary/text.ts';
import { isTimeZone, lastInstantOf, MS_A_MINUTE, wallSecondTextAt, zoneOffset } from '../vocabulary/time-zone.ts';
import type { WallMinute } from '../vocabulary/wall-minute.ts';
import { formatClock, formatWallDay, formatWallMinute, minuteOfDay, wallMinute } from '../vocabulary/wall-minute.ts';
import { readWeekdays, writeWeekdays } from '../vocabulary/weekdays.ts';
import { forbiddenCharacter } from '../xml/xml-characters.ts';

/** How the text of a cell is converted to a value, and back. */
export interface CellType<T> {
  /** For the message that rejects anything else. */
  readonly expected: string;
  /** `text` is trimmed and not empty; `order` is that of dates in numbers with the year last. Returns undefined if it does not have the type. */
  read(text: string, order?: DateOrder): T | undefined;
  write(value: T): string;
  /** Whether surrounding white space is part of the text. */
  readonly keepsSpace?: boolean;
  /** Whether it is a time of day, in which a dot may be between hours and minutes. */
  readonly isClock?: boolean;
  /** The day of a value that is one, or contains one: `2027-01-18`. */
  dayOf?(value: T): string;
}

export function wholeNumber(least: number, most: number): CellType<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    read: (text) => {
      const value = parseXsdInt(text);
      return typeof value === 'number' && value >= least && value <= most ? value : undefined;
    },
    write: String,
  };
}

/** Numbers of centers, doctors and templates: the contract's int, starting at 1. */
export const id = wholeNumber(1, INT_MAX);

/** Numbers of records, tokens and counts, which the service goes on counting: it leaves some of the contract's ints to be counted. */
export const counted = (least: number) => wholeNumber(least, 2_000_000_000);

/**
 * Characters that XML cannot represent must not get into an answer. Of the control characters, only line ends and tabs are accepted as
 * text.
 */
const isWritable = (text: string): boolean => forbiddenCharacter(text) === undefined && !/[\u007f-\u009f]/.test(text);

const textType = (
  expected: string,
  read: (text: string, order?: DateOrder) => string | undefined,
): CellType<string> => ({
  expected,
  read,
  write: (value) => value,
});

/** One line of text; lengths are in characters (code points). */
export const line = (most: number) =>
  textType(`one line of 1 to ${most} characters`, (text) =>
    lengthOf(text) <= most && !/[\t\r\n]/.test(text) && isWritable(text) ? text : undefined,
  );

/** Text on one or more lines. Blanks at its ends belong to it: a message must match its template as it is registered. */
export const lines = (most: number): CellType<string> => ({
  ...textType(`1 to ${most} characters`, (text) => (lengthOf(text) <= most && isWritable(text) ? text : undefined)),
  keepsSpace: true,
});

/** Text as callers of the service may send it: anything that XML can represent. */
export const text = (most: number): CellType<string> => ({
  expected: `1 to ${most} characters, none of them a control character`,
  read: (cell) =>
    (cell.length <= most || lengthOf(cell) <= most) && forbiddenCharacter(cell) === undefined ? cell : undefined,
  // CSV does not preserve any others.
  write: withLineFeeds,
  keepsSpace: true,
});

const lengthOf = (text: string): number => Array.from(text).length;

export const digits = (most: number) =>
  textType(`1 to ${most} digits; in a spreadsheet, format the column as text, or the last digits are lost`, (text) =>
    /^\d+$/.test(text) && text.length <= most ? text : undefined,
  );

export const timeZone = textType('an IANA time zone such as Asia/Kolkata', (text) =>
  isTimeZone(text) ? text : undefined,
);

export const phoneRegion = textType('a country code such as IN', (text) => (isPhoneRegion(text) ? text : undefined));

/** 1 for yes, 0 for no, as stored in the database. */
export const yesOrNo: CellType<number> = {
  expected: 'yes or no',
  read: (text) => {
    if (/^(?:yes|y|true|1)$/i.test(text)) return 1;
    return /^(?:no|n|false|0)$/i.test(text) ? 0 : undefined;
  },
  write: (value) => (value === 0 ? 'no' : 'yes'),
};

export const weekdays: CellType<readonly number[]> = {
  expected: 'days of the week such as Mon-Sat, Mon Wed Fri or 1 for Monday',
  read: readWeekdays,
  write: writeWeekdays,
};

const { Booked, Completed, Cancelled } = AppointmentStatus;
/** As other systems name them: HL7 and FHIR, and most files of clinics. */
const OTHER_NAMES = { Canceled: Cancelled, Confirmed: Booked, Fulfilled: Completed, Scheduled: Booked };
const STATUSES = new Map(
  Object.entries({ ...AppointmentStatus, ...OTHER_NAMES }).flatMap(([name, value]) => [
    [bareText(name), value],
    [`${value}`, value],
  ]),
);

/** The status of an appointment, by its number or by a name in any spelling. */
export const status: CellType<number> = {
  expected: `one of ${Object.entries(AppointmentStatus)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ')}, by number or name`,
  read: (text) => STATUSES.get(bareText(text)),
  write: statusText,
};

/** Years for which hospitals plan; days outside them would not sort correctly as text. */
const isPlannable = (year: number): boolean => year >= 1970 && year <= 9998;

/** What a text without an offset says of a day, as its midnight, and of a time of day in minutes, whose seconds are cut as in a booking. */
function readWall(text: string, order?: DateOrder) {
  const value = parseFormDateTime(text, undefined, order);
  if (typeof value === 'string' || value.offset !== undefined) return undefined;
  const { date, time } = value;
  return {
    hasDay: date !== undefined,
    day: date !== undefined && isPlannable(date.year) ? wallMinute(date, 0, 0) : undefined,
    minute: time && time.hour * 60 + time.minute,
    isWhole: time?.second === 0 && time.fraction === '',
  };
}

/** Minutes since midnight, 0 to 1440. */
export const clock: CellType<number> = {
  expected: 'a time of day such as 09:30, 24:00 for the end of the day',
  read: (text) => {
    // Excel's 0.25 is a quarter of a day; any other number with two decimals is no time, unless its dot stands for a colon.
    const wall = readWall(text.replace(/^([1-9]\d?|0\d)\.(\d\d)$/, '$1:$2'));
    return wall?.hasDay || !wall?.isWhole ? undefined : wall.minute;
  },
  write: formatClock,
  isClock: true,
};

/** As programs write the end of a day that have no 24:00. */
const LAST_MINUTE = MINUTES_PER_DAY - 1;
const ended = (minute: number): number => (minuteOfDay(minute) === LAST_MINUTE ? minute + 1 : minute);

/** The end of hours on a day: 23:59, with any seconds, is 24:00. */
export const endClock: CellType<number> = {
  ...clock,
  read: (text) => {
    const minute = clock.read(text.replace(/^(23[:.]59):\d\d$/, '$1'));
    return minute === undefined ? undefined : ended(minute);
  },
};

/** A minute of the day, 1440 for the next midnight. A date in the same cell is ignored. */
export const minuteHalf: CellType<number> = {
  expected: 'a time of day such as 09:30',
  read: (text, order) => readWall(text, order)?.minute,
  write: formatClock,
};

const DAY_FORMS = 'a day such as 2027-01-18 or 18-Jan-2027';

/** Midnight of a day, in wall minutes. A time of day in the same cell is ignored. */
export const dayHalf: CellType<number> = {
  expected: DAY_FORMS,
  read: (text, order) => readWall(text, order)?.day,
  write: formatWallDay,
  dayOf: formatWallDay,
};

export const day: CellType<string> = {
  ...textType(DAY_FORMS, (text, order) => {
    const wall = readWall(text, order);
    return wall?.day === undefined || wall.minute !== undefined ? undefined : formatWallDay(wall.day);
  }),
  dayOf: (value) => value,
};

function readMoment(text: string, dayOnly: number, order?: DateOrder): number | undefined {
  const { day: midnight, minute = dayOnly } = readWall(text, order) ?? {};
  return midnight === undefined ? undefined : midnight + minute;
}

const writeMinute = (minute: number): string => formatWallMinute(minute).slice(0, 16).replace('T', ' ');
const isMidnight = (minute: number): boolean => minuteOfDay(minute) === 0;

/** Wall minute; a date without a time means the first minute of the day. */
export const firstMoment: CellType<number> = {
  expected: `${DAY_FORMS}, or a day and a time such as 2027-01-18 17:00`,
  read: (text, order) => readMoment(text, 0, order),
  write: (minute) => (isMidnight(minute) ? formatWallDay(minute) : writeMinute(minute)),
  dayOf: formatWallDay,
};

/** Wall minute, exclusive; a date without a time means the end of the day, and so does 23:59. */
export const lastMoment: CellType<number> = {
  expected: firstMoment.expected,
  read: (text, order) => {
    const minute = readMoment(text, MINUTES_PER_DAY, order);
    return minute === undefined ? undefined : ended(minute);
  },
  write: (minute) => (isMidnight(minute) ? formatWallDay(minute - MINUTES_PER_DAY) : writeMinute(minute)),
  dayOf: (minute) => formatWallDay(minute - 1),
};

/** An instant as text, because a text without an offset is in the zone of its center, which is not known here. */
export const instant: CellType<string> = {
  ...textType(
    "a day and a time such as 2026-11-22T10:15:00+05:30; without an offset, on the center's clock",
    (text, order) => {
      const value = parseFormDateTime(text, undefined, order);
      if (typeof value !== 'object' || !value.date || !isPlannable(value.date.year)) return undefined;
      if (typeof parseFormDateTime(text) === 'object') return text;
      return text.replace(/^\S+/, formatWallDay(wallMinute(value.date, 0, 0)));
    },
  ),
  dayOf: (text) =>
    /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? wallSecondTextAt(readInstantText(text, 'UTC') ?? 0, 'UTC').slice(0, 10),
};

/** `2026-11-22T10:15:07.123+05:30`: an instant, in ms, as local time in a zone. Its meaning does not depend on who reads it. */
export function instantText(epochMs: number, zone: string): string {
  const minutes = zoneOffset(epochMs, zone) / MS_A_MINUTE;
  const ofSecond = `${epochMs - Math.floor(epochMs / 1000) * 1000}`.padStart(3, '0');
  // In the past, some zones had offsets that include seconds.
  if (!Number.isInteger(minutes)) return `${wallSecondTextAt(epochMs, 'UTC')}.${ofSecond}Z`;
  const size = formatClock(Math.abs(minutes));
  return `${wallSecondTextAt(epochMs, zone)}.${ofSecond}${minutes < 0 ? '-' : '+'}${size}`;
}

/**
 * The instant, in ms, for a text of that form or another date and time. Without an offset, it is local time in the zone; without a zone,
 * it has none. Undefined for any other text.
 */
export function readInstantText(text: string, zone: string | undefined): number | undefined {
  const value = parseFormDateTime(text);
  if (typeof value === 'string' || value.date === undefined) return undefined;
  const { hour, minute, second, fraction } = value.time ?? { hour: 0, minute: 0, second: 0, fraction: '' };
  const wall = wallMinute(value.date, hour, minute);
  if (value.offset === undefined && zone === undefined) return undefined;
  const began = value.offset === undefined ? instantOf(wall, zone ?? '') : (wall - value.offset) * MS_A_MINUTE;
  return began + second * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
}

/** A wall minute that the clocks skip counts as if they had not been changed yet. */
const instantOf = (wall: WallMinute, zone: string): number =>
  lastInstantOf(wall, zone) ?? wall * MS_A_MINUTE - zoneOffset(wall * MS_A_MINUTE, zone);
