import { trimXmlSpace } from '../xml/xml-characters.ts';
import type { DatePart, DateTimeValue, TimePart } from './contract.ts';

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * Number of days in a month of the proleptic Gregorian calendar; 0 for a month that does not exist. Source: XML Schema Part 2, appendix
 * E.1.
 */
function daysInMonth(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29;
  return MONTH_DAYS[month - 1] ?? 0;
}

const OFFSET = '(?:Z|([+-])(\\d\\d):(\\d\\d))?';
// XSD requires capitals. ASMX also accepts a lower-case t and z, and some toolkits send them.
const DATE_TIME = new RegExp(
  `^(-?)(\\d{4,})-(\\d\\d)-(\\d\\d)T(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d+))?${OFFSET}$`,
  'i',
);
const DATE = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)${OFFSET}$`, 'i');
const TIME = new RegExp(`^(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d+))?${OFFSET}$`, 'i');
const MAX_YEAR_DIGITS = 6;
const MAX_YEAR = 999_999;
const MAX_OFFSET = 14 * 60;

/** Why a text cannot be read: it does not have the form, or it has the form but contains a day, time or offset that does not exist. */
type Unreadable = 'lexical' | 'range';

/**
 * Reads an `xsd:dateTime` in any of its lexical forms, or an `xsd:date` or `xsd:time`, whose other part is then absent. White space around
 * it is allowed. 24:00:00 is 00:00:00 of the next day. Returns 'lexical' for any other text, and 'range' for a day, time or offset that
 * does not exist, for year 0000, and for years of more than 6 digits. Source: XML Schema Part 2 (1.0), 3.2.7 to 3.2.9.
 */
export function parseXsdDateTime(text: string): DateTimeValue | Unreadable {
  const trimmed = trimXmlSpace(text);
  const both = readDateTime(trimmed);
  if (both !== 'lexical') return both;
  const date = readDate(trimmed);
  return date === 'lexical' ? readTime(trimmed) : date;
}

function readDateTime(text: string): DateTimeValue | Unreadable {
  const match = DATE_TIME.exec(text);
  if (match === null) return 'lexical';
  const [
    ,
    minus,
    yearDigits = '',
    month,
    day,
    hour,
    minute,
    second,
    fractionDigits = '',
    sign,
    offsetHour,
    offsetMinute,
  ] = match;
  if (yearDigits.length > 4 && yearDigits.startsWith('0')) return 'lexical';
  if (yearDigits.length > MAX_YEAR_DIGITS) return 'range';
  const year = minus === '-' ? -Number(yearDigits) : Number(yearDigits);
  const date = datePart(year, Number(month), Number(day));
  if (date === undefined) return 'range';
  const offset = readOffset(text, sign, Number(offsetHour), Number(offsetMinute));
  if (offset === 'range') return 'range';
  const fraction = withoutTrailingZeros(fractionDigits);
  if (hour === '24') {
    if (minute !== '00' || second !== '00' || fraction !== '') return 'range';
    const next = dayAfter(date);
    return next.year > MAX_YEAR
      ? 'range'
      : { date: next, time: { hour: 0, minute: 0, second: 0, fraction: '' }, offset };
  }
  const time = timePart(Number(hour), Number(minute), Number(second), fraction);
  return time === undefined ? 'range' : { date, time, offset };
}

function readDate(text: string): DateTimeValue | Unreadable {
  const match = DATE.exec(text);
  if (match === null) return 'lexical';
  const [, year, month, day, sign, offsetHour, offsetMinute] = match;
  const date = datePart(Number(year), Number(month), Number(day));
  const offset = readOffset(text, sign, Number(offsetHour), Number(offsetMinute));
  return date === undefined || offset === 'range' ? 'range' : { date, time: undefined, offset };
}

function readTime(text: string): DateTimeValue | Unreadable {
  const match = TIME.exec(text);
  if (match === null) return 'lexical';
  const [, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match;
  const time = timePart(Number(hour), Number(minute), Number(second), withoutTrailingZeros(fraction));
  const offset = readOffset(text, sign, Number(offsetHour), Number(offsetMinute));
  return time === undefined || offset === 'range' ? 'range' : { date: undefined, time, offset };
}

/** A date that exists, or undefined. There is no year 0: the year before 0001 is -0001. */
export function datePart(year: number, month: number, day: number): DatePart | undefined {
  return year !== 0 && day >= 1 && day <= daysInMonth(year, month) ? { year, month, day } : undefined;
}

/** A time of day that exists, or undefined. */
export function timePart(hour: number, minute: number, second: number, fraction: string): TimePart | undefined {
  return hour < 24 && minute < 60 && second < 60 ? { hour, minute, second, fraction } : undefined;
}

function readOffset(
  text: string,
  sign: string | undefined,
  hour: number,
  minute: number,
): number | undefined | 'range' {
  if (sign === undefined) return /z$/i.test(text) ? 0 : undefined;
  const size = hour * 60 + minute;
  if (minute > 59 || size > MAX_OFFSET) return 'range';
  return sign === '-' && size !== 0 ? -size : size;
}

/**
 * The digits of a fraction, without trailing zeros. This is a loop because `/0+$/` takes quadratic time on zeros followed by another digit.
 */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.substring(0, end);
}

function dayAfter({ year, month, day }: DatePart): DatePart {
  if (day < daysInMonth(year, month)) return { year, month, day: day + 1 };
  if (month < 12) return { year, month: month + 1, day: 1 };
  return { year: year === -1 ? 1 : year + 1, month: 1, day: 1 };
}
