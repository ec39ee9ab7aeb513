import { asciiDigits } from '../vocabulary/text.ts';
import type { DatePart } from '../vocabulary/wall-minute.ts';
import type { DateHalf, DateTimeValue, TimePart } from './contract.ts';
import { datePart, parseXsdDateTime, readOffset, timePart, withoutTrailingZeros } from './xsd-date-time.ts';

/** How callers write a date in numbers with the year last: the setting FORM_DATE_ORDER. Undefined if they have not agreed on it. */
export type DateOrder = 'dmy' | 'mdy' | undefined;

const DATE_FORMS = ['YYYY-MM-DD', 'YYYY/MM/DD', '20-Nov-2026', '20 Nov 2026'] as const;
const TIME_FORMS = ['HH:mm', 'HH:mm:ss', 'hh:mm AM', 'hh:mm PM'] as const;
const ORDERED_FORMS = { dmy: ['DD/MM/YYYY'], mdy: ['MM/DD/YYYY'] } as const;

/** What a form may contain where only one half counts, or where both do: for messages and documentation. */
export function formDateTimeForms(half: DateHalf | undefined, order: DateOrder): readonly string[] {
  const dates = half === 'time' ? [] : [...DATE_FORMS, ...(order === undefined ? [] : ORDERED_FORMS[order])];
  const times = half === 'date' ? [] : TIME_FORMS;
  return [...dates, ...times, 'YYYY-MM-DDThh:mm:ss'];
}

const BY_YEAR = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/;
const BY_DAY_OR_MONTH = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)$/;
const FIRST_WORD = /^([a-z]{3,9})\.?,? +/i;
/** Hours, minutes, seconds and their fraction, or minutes behind a dot; `am` or `pm`, `noon`, or `hrs`. */
const CLOCK =
  /^(\d{1,2})(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?|\.(\d\d))?(?: ?(?:([ap])\.?m\.?|(noon)|(h(?:ou)?rs?)\.?))?$/i;
/** A date, then a time, separated by a `T`, or by spaces with a comma or `at` as browsers write it. */
const DAY_AND_TIME = /^(.*?\d)(?:T|,? +(?:at +)?)(\d{1,2}(?:[:.].*| ?[ap]\.?m\.?| ?noon)|\d{4} ?h(?:ou)?rs?\.?|noon)$/i;
/**
 * A time zone at the end. An offset in digits follows a blank or seconds, but `10:15-10:30` and `10:15 -10:30` are more likely spans than times with
 * an offset.
 */
const ZONED =
  /^(.+?)(?: ?(?:Z|UTC|GMT)|(?<=:\d\d:\d\d(?:\.\d+)?(?: ?[ap]\.?m\.?)? ?|\d[ T]+\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)? | (?=\+))([+-])(\d\d):?(\d\d))$/i;
/** The longest form is `Wednesday, 20 September 2026 10:15:00 AM +05:30`. This leaves room for spaces, and limits the work. */
const MAX_LENGTH = 64;

const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** The number of a word, whole or cut to three or more letters, in any case; 0 if it is not among them. */
const numberOf = (word: string, words: readonly string[]): number =>
  words.findIndex((whole) => word.length >= 3 && whole.startsWith(word.toLowerCase())) + 1;

/** With ASCII digits and blanks, whatever the script, and without the invisible marks that some programs write: Java 20 puts U+202F before AM. */
const inAscii = (text: string): string =>
  asciiDigits(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Z}/gu, ' ')
    .trim();

/** Why a date in numbers was not read: without an agreement, only its sender knows the order of day and month, or the century. */
type Unordered = 'ambiguous' | 'day-first' | 'month-first' | 'short-year';
type Unreadable = 'lexical' | 'range' | Unordered;

/**
 * Reads a date, a time or both as the GET and POST forms accept them: what SOAP accepts, and `YYYY-M-D`, `YYYY/M/D`, a day, the English name
 * of a month and a year in any order (`20-Nov-2026`, `Nov 20 2026`, `Friday, November 20, 2026`), `H:mm`, `H:mm:ss.fff`, `h:mm AM`, `h AM` (any case, space optional), `h.mm AM`,
 * `13:15 PM`, `12 noon`, `14:00 hrs`, `14.00 hrs`, `1400 hrs`, such a date followed by such a time, with `Z`, `GMT` or an offset after it, and RFC 1123. Dates such as 18/01/2027 and years of two digits, which
 * are those of the 21st century, need an `order`. .NET's unset DateTime is 01/01/0001 in either order.
 *
 * The half that was not sent is absent. So is the one that does not count, according to `half`, if it has the form of a date or time but
 * cannot be read. Returns 'ambiguous', 'day-first' or 'month-first' for numbers whose order was not agreed, 'short-year' for a year of two
 * digits, 'range' for a day or time that does not exist, 'lexical' for any other text.
 */
export function parseFormDateTime(text: string, half?: DateHalf, order?: DateOrder): DateTimeValue | Unreadable {
  const xsd = parseXsdDateTime(text);
  if (typeof xsd === 'object') return xsd;
  const written = text.trim();
  if (written.length > MAX_LENGTH) return xsd;
  const trimmed = inAscii(written);
  const [, zoned, sign, hours, minutes] = ZONED.exec(trimmed) ?? [];
  const local = zoned?.trimEnd() ?? trimmed;
  const offset =
    zoned === undefined ? undefined : sign === undefined ? 0 : readOffset(sign, Number(hours), Number(minutes));
  if (offset === 'range') return offset;
  const alone = readTime(local);
  const [, day, clock] = (alone === 'lexical' && DAY_AND_TIME.exec(local)) || [];
  const time = clock === undefined ? alone : readTime(clock);
  const isTimeAlone = clock === undefined && time !== 'lexical';
  const date = isTimeAlone ? undefined : readDay((day ?? local).trimEnd(), order);
  if (date === 'lexical' || (clock !== undefined && time === 'lexical')) return xsd;
  if (typeof date === 'string' && half !== 'time') return date;
  if (time === 'range' && half !== 'date') return time;
  const read = <Part>(part: Part | string | undefined) => (typeof part === 'string' ? undefined : part);
  return { date: read<DatePart>(date), time: read<TimePart>(time), offset };
}

function readDay(text: string, order: DateOrder): DatePart | Unreadable {
  const [prefix = '', word = ''] = FIRST_WORD.exec(text) ?? [];
  const weekday = numberOf(word, WEEKDAYS);
  if (weekday > 0) {
    const date = readDay(text.slice(prefix.length), order);
    if (typeof date === 'string') return date;
    return weekday === new Temporal.PlainDate(date.year, date.month, date.day).dayOfWeek ? date : 'range';
  }
  const byYear = BY_YEAR.exec(text);
  if (byYear !== null) return datePart(Number(byYear[1]), Number(byYear[3]), Number(byYear[4])) ?? 'range';
  const numbers = BY_DAY_OR_MONTH.exec(text);
  if (numbers !== null) return readNumbers(Number(numbers[1]), Number(numbers[3]), numbers[4] ?? '', order);
  const parts = text.replace(/(?<=\d)(?:st|nd|rd|th)\b/i, '').split(/[- ,./]+/);
  const month = parts.map((part) => numberOf(part, MONTHS)).find((number) => number > 0);
  const numbersLeft = parts.filter((part) => /^(?:\d{1,2}|\d{4})$/.test(part));
  const [day = '', year = ''] = numbersLeft[0]?.length === 4 ? numbersLeft.reverse() : numbersLeft;
  if (month === undefined || parts.length !== 3 || day.length > 2 || year.length < 2) return 'lexical';
  if (year.length < 4 && order === undefined) return 'short-year';
  return datePart(fullYear(year), month, Number(day)) ?? 'range';
}

function readNumbers(first: number, second: number, year: string, order: DateOrder): DatePart | Unreadable {
  if (year === '0001' && first === 1 && second === 1) return { year: 1, month: 1, day: 1 };
  if (order === 'dmy') return datePart(fullYear(year), second, first) ?? 'range';
  if (order === 'mdy') return datePart(fullYear(year), first, second) ?? 'range';
  if (year.length < 4) return 'short-year';
  if (first > 12) return second > 12 ? 'range' : 'day-first';
  return second > 12 ? 'month-first' : 'ambiguous';
}

const fullYear = (year: string): number => Number(year) + (year.length < 4 ? 2000 : 0);

function readTime(text: string): TimePart | 'lexical' | 'range' {
  const written = text.replace(/^noon$/i, '12 noon').replace(/^(\d\d)(\d\d)(?= ?h)/i, '$1:$2');
  const [, hour, colon, second = 0, fraction = '', dot, half, noon, hrs] = CLOCK.exec(written) ?? [];
  const of12 = half ?? noon;
  // Alone, 10.15 may be a number.
  if (hour === undefined || (colon ?? of12 ?? (dot && hrs)) === undefined) return 'lexical';
  const isMorning = /^a/i.test(half ?? '');
  const isWrong = half === undefined ? noon && Number(hour) !== 12 : Number(hour) > (isMorning ? 12 : 23);
  if (isWrong) return 'range';
  // .NET's "HH:mm tt" writes 13:15 PM, and Java's "KK:mm a" 00:30 PM.
  const isOf24 = of12 === undefined || Number(hour) > 12;
  const hours = isOf24 ? Number(hour) : (Number(hour) % 12) + (isMorning ? 0 : 12);
  return timePart(hours, Number(colon ?? dot ?? 0), Number(second), withoutTrailingZeros(fraction)) ?? 'range';
}
