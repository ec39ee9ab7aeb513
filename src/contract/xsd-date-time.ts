import type { DatePart } from '../vocabulary/wall-minute.ts';
import { trimXmlSpace } from '../xml/xml-characters.ts';
import type { DateTimeValue, TimePart } from './contract.ts';

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * Number of days in a month of the proleptic Gregorian calendar; 0 for a month that does not exist. Source: XML Schema Part 2, appendix
 * E.1.
 */
function daysInMonth(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29;
  return MONTH_DAYS[month - 1] ?? 0;
}

/**
 * A date, a time, or both with a `T` between them, and an offset. XSD requires capitals. ASMX also accepts a lower-case t and z, and some
 * toolkits send them.
 */
const FORM = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(T?)(\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(?:(Z)|([+-])(\d\d):(\d\d))?$/i;
const MAX_OFFSET = 14 * 60;

/** Why a text cannot be read: it does not have the form, or it has the form but contains a day, time or offset that does not exist. */
type Unreadable = 'lexical' | 'range';

/**
 * Reads an `xsd:dateTime` in any of its lexical forms, or an `xsd:date` or `xsd:time`, whose other part is then absent. White space around
 * it is allowed. 24:00:00 is read as hour 24. Returns 'lexical' for any other text, also for a year that .NET's DateTime does not
 * have, and 'range' for a day, time or offset that does not exist. Source: XML Schema Part 2 (1.0), 3.2.7 to 3.2.9.
 */
export function parseXsdDateTime(text: string): DateTimeValue | Unreadable {
  const match = FORM.exec(trimXmlSpace(text));
  if (match === null) return 'lexical';
  const [, year, month, day, separator, hour, minute, second, fractionDigits = ''] = match;
  const [, , , , , , , , , utc, sign, offsetHour, offsetMinute] = match;
  const [hasDate, hasTime] = [year !== undefined, hour !== undefined];
  if (hasTime ? hasDate !== (separator !== '') : !hasDate) return 'lexical';
  const offset = utc === undefined ? readOffset(sign, Number(offsetHour), Number(offsetMinute)) : 0;
  const date = hasDate ? datePart(Number(year), Number(month), Number(day)) : undefined;
  if (offset === 'range' || (hasDate && date === undefined)) return 'range';
  if (!hasTime) return { date, time: undefined, offset };
  const fraction = withoutTrailingZeros(fractionDigits);
  const time = timePart(Number(hour), Number(minute), Number(second), fraction);
  return time === undefined ? 'range' : { date, time, offset };
}

/** A date that exists, or undefined. There is no year 0. */
export function datePart(year: number, month: number, day: number): DatePart | undefined {
  return year !== 0 && day >= 1 && day <= daysInMonth(year, month) ? { year, month, day } : undefined;
}

/** A time of day that exists, or undefined. 24:00 is midnight at the end of the day: which day that is, only its user knows. */
export function timePart(hour: number, minute: number, second: number, fraction: string): TimePart | undefined {
  const exists = hour < 24 ? minute < 60 && second < 60 : hour === 24 && minute + second + Number(fraction) === 0;
  return exists ? { hour, minute, second, fraction } : undefined;
}

/** Minutes east of UTC; undefined without a sign, 'range' for more than 14 hours. */
export function readOffset(sign: string | undefined, hour: number, minute: number): number | undefined | 'range' {
  if (sign === undefined) return undefined;
  const size = hour * 60 + minute;
  if (minute > 59 || size > MAX_OFFSET) return 'range';
  return sign === '-' && size !== 0 ? -size : size;
}

/** The digits of a fraction, without trailing zeros. This is a loop because `/0+$/` takes quadratic time on zeros followed by another digit. */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.substring(0, end);
}
