import type { DatePart, DateTimeValue, TimePart } from './contract.ts';
import { datePart, parseXsdDateTime, timePart } from './xsd-date-time.ts';
import { trimXsdSpace } from './xsd-white-space.ts';

/** What the GET and POST forms accept beside XSD dateTime, for the message that refuses anything else. */
export const FORM_DATE_TIME_FORMS = [
  'YYYY-MM-DDThh:mm:ss',
  'YYYY-MM-DD',
  '20-Nov-2026',
  'HH:mm',
  'HH:mm:ss',
  'hh:mm AM',
  'hh:mm PM',
] as const;

const ISO_DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const ENGLISH_DAY = /^(\d{1,2})-([a-z]{3,9})-(\d{4})$/i;
const CLOCK_24 = /^(\d\d):(\d\d)(?::(\d\d))?$/;
const CLOCK_12 = /^(\d{1,2}):(\d\d)(?::(\d\d))? ?([ap])m$/i;
/** Day and month by number, in an order that only the sender knows. */
const NUMBERED_DAY = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{1,4}(?![\d:])/;
/** A day, then a time after a space or a `T`. A day holds no white space, a time may (before AM or PM). */
const DAY_AND_TIME = /^([^\s:]*\d)(?:T| +)(\d{1,2}:.*)$/;
/** The longest form is `20-September-2026 10:15:00 AM`; this leaves room for spaces and bounds the work. */
const MAX_LENGTH = 64;

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;

/**
 * Reads a date, a time or both as the GET and POST forms accept them: XSD dateTime, `YYYY-MM-DD`, `20-Nov-2026` (English month,
 * short or whole, any case), `HH:mm`, `HH:mm:ss`, `hh:mm AM` (any case, space optional), and such a date followed by such a time.
 * The half that was not given is absent. Answers 'ambiguous' for days by number in other orders (dd/mm/yyyy or mm/dd/yyyy),
 * 'range' for a day or time that does not exist, 'lexical' for other text.
 */
export function parseFormDateTime(text: string): DateTimeValue | 'lexical' | 'range' | 'ambiguous' {
  const xsd = parseXsdDateTime(text);
  if (xsd !== 'lexical') return xsd;
  const trimmed = trimXsdSpace(text);
  if (trimmed.length > MAX_LENGTH) return 'lexical';
  if (NUMBERED_DAY.test(trimmed)) return 'ambiguous';
  const both = DAY_AND_TIME.exec(trimmed);
  const date = readDay(both?.[1] ?? trimmed);
  const time = readTime(both?.[2] ?? trimmed);
  if (both !== null) {
    if (date === 'lexical' || time === 'lexical') return 'lexical';
    return date === 'range' || time === 'range' ? 'range' : { date, time, offset: undefined };
  }
  if (date !== 'lexical') return date === 'range' ? 'range' : { date, time: undefined, offset: undefined };
  if (time !== 'lexical') return time === 'range' ? 'range' : { date: undefined, time, offset: undefined };
  return 'lexical';
}

function readDay(text: string): DatePart | 'lexical' | 'range' {
  const iso = ISO_DAY.exec(text);
  if (iso !== null) return datePart(Number(iso[1]), Number(iso[2]), Number(iso[3])) ?? 'range';
  const english = ENGLISH_DAY.exec(text);
  if (english === null) return 'lexical';
  const name = (english[2] ?? '').toLowerCase();
  const month = MONTHS.findIndex((whole) => name === whole || name === whole.slice(0, 3)) + 1;
  return month === 0 ? 'lexical' : (datePart(Number(english[3]), month, Number(english[1])) ?? 'range');
}

function readTime(text: string): TimePart | 'lexical' | 'range' {
  const of24 = CLOCK_24.exec(text);
  if (of24 !== null) return timePart(Number(of24[1]), Number(of24[2]), Number(of24[3] ?? 0), '') ?? 'range';
  const of12 = CLOCK_12.exec(text);
  if (of12 === null) return 'lexical';
  const hour = Number(of12[1]);
  if (hour < 1 || hour > 12) return 'range';
  const afternoon = of12[4]?.toLowerCase() === 'p' ? 12 : 0;
  return timePart((hour % 12) + afternoon, Number(of12[2]), Number(of12[3] ?? 0), '') ?? 'range';
}
