import { trimXmlSpace } from '../xml/xml-characters.ts';
import type { DatePart, DateTimeValue, TimePart } from './contract.ts';
import { datePart, parseXsdDateTime, timePart, withoutTrailingZeros } from './xsd-date-time.ts';

/** What the GET and POST forms accept in addition to XSD dateTime, for the error message. */
export const FORM_DATE_TIME_FORMS = [
  'YYYY-MM-DDThh:mm:ss',
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  '20-Nov-2026',
  '20 Nov 2026',
  'HH:mm',
  'HH:mm:ss',
  'hh:mm AM',
  'hh:mm PM',
] as const;

const NUMBERED_BY_YEAR = /^(\d{4})([-/])(\d\d)\2(\d\d)$/;
const ENGLISH_DAY = /^(\d{1,2})([- ])([a-z]{3,9})\2(\d{4}|\d\d)$/i;
const CLOCK_24 = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;
const CLOCK_12 = /^(\d{1,2}):(\d\d)(?::(\d\d))? ?([ap])m$/i;
/** Day and month as numbers, in an order that only the sender knows. */
const NUMBERED_DAY = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{1,4}(?![\d:])/;
/** A date, then a time, separated by spaces or a `T`. */
const DAY_AND_TIME = /^([^:]*\d)(?:T| +)(\d{1,2}:[^:]*(?::[^:]*)?)$/i;
/** The longest form is `20-September-2026 10:15:00 AM`. This leaves room for spaces, and limits the work. */
const MAX_LENGTH = 64;

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** Why a text was not read: only its sender knows the order of day and month, or the century. */
type Ambiguous = 'ambiguous' | 'short-year';
type Unreadable = 'lexical' | 'range' | Ambiguous;

/**
 * Reads a date, a time or both as the GET and POST forms accept them: what SOAP accepts, and `YYYY-MM-DD`, `YYYY/MM/DD`, `20-Nov-2026`,
 * `20 Nov 2026` (English month, abbreviated or full, any case), `H:mm`, `H:mm:ss.fff`, `h:mm AM` (any case, space optional), and such a date
 * followed by such a time. The part that was not sent is absent. Returns 'ambiguous' for numeric dates in other orders (dd/mm/yyyy or
 * mm/dd/yyyy), 'short-year' for a year of two digits, 'range' for a day or time that does not exist, 'lexical' for any other text.
 */
export function parseFormDateTime(text: string): DateTimeValue | Unreadable {
  const xsd = parseXsdDateTime(text);
  if (xsd !== 'lexical') return xsd;
  const trimmed = trimXmlSpace(text);
  if (trimmed.length > MAX_LENGTH) return 'lexical';
  if (NUMBERED_DAY.test(trimmed)) return 'ambiguous';
  const both = DAY_AND_TIME.exec(trimmed);
  if (both === null) {
    const date = readDay(trimmed);
    if (typeof date === 'object') return { date, time: undefined, offset: undefined };
    const time = date === 'lexical' ? readTime(trimmed) : date;
    return typeof time === 'object' ? { date: undefined, time, offset: undefined } : time;
  }
  const date = readDay((both[1] ?? '').trimEnd());
  const time = readTime(both[2] ?? '');
  if (typeof date === 'object' && typeof time === 'object') return { date, time, offset: undefined };
  if (date === 'lexical' || time === 'lexical') return 'lexical';
  return typeof date === 'object' ? (time as 'range') : date;
}

function readDay(text: string): DatePart | Exclude<Unreadable, 'ambiguous'> {
  const byYear = NUMBERED_BY_YEAR.exec(text);
  if (byYear !== null) return datePart(Number(byYear[1]), Number(byYear[3]), Number(byYear[4])) ?? 'range';
  const [, day, , name = '', year = ''] = ENGLISH_DAY.exec(text) ?? [];
  const month = MONTHS.findIndex((whole) => [whole, whole.slice(0, 3)].includes(name.toLowerCase())) + 1;
  if (month === 0) return 'lexical';
  return year.length < 4 ? 'short-year' : (datePart(Number(year), month, Number(day)) ?? 'range');
}

function readTime(text: string): TimePart | 'lexical' | 'range' {
  const of24 = CLOCK_24.exec(text);
  if (of24 !== null) {
    const [, hour, minute, second = 0, fraction = ''] = of24;
    return timePart(Number(hour), Number(minute), Number(second), withoutTrailingZeros(fraction)) ?? 'range';
  }
  const of12 = CLOCK_12.exec(text);
  if (of12 === null) return 'lexical';
  const hour = Number(of12[1]);
  if (hour < 1 || hour > 12) return 'range';
  const afternoon = of12[4]?.toLowerCase() === 'p' ? 12 : 0;
  return timePart((hour % 12) + afternoon, Number(of12[2]), Number(of12[3] ?? 0), '') ?? 'range';
}
