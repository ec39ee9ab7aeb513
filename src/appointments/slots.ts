import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { firstShown, lastInstantOf, MS_A_MINUTE, wallEnd, wallMinuteAt } from '../vocabulary/time-zone.ts';
import {
  dayOf,
  formatClock,
  formatWallDay,
  isoWeekday,
  minuteOfDay,
  spellDay,
  spellMinute,
  type WallMinute,
} from '../vocabulary/wall-minute.ts';
import { writeWeekdays } from '../vocabulary/weekdays.ts';

/** How many days ahead a start may be. */
export const HORIZON_DAYS = 365;

/** The starts that may be booked at an instant in ms in a zone, an IANA name. */
export const bookingWindow = (now: number, zone: string) => ({
  zone,
  now,
  /** Day number. */
  lastDay: dayOf(wallMinuteAt(now, zone)) + HORIZON_DAYS,
});

/**
 * Whether the slot has ended: until then, a patient who walks in gets it. A time that the clocks show twice counts as the second occurrence,
 * because there is no way to tell which one is meant; one that they skip is not past.
 */
function isPast({ start, slotMinutes, window: { zone, now } }: StartCheck): boolean {
  const began = lastInstantOf(start, zone);
  return began !== undefined && began + slotMinutes * MS_A_MINUTE <= now;
}

/** A weekly range of a doctor's hours. Its slots start at `from` and follow one another; the last one ends at or before `to`. */
export interface OpeningRange {
  /** 1 is Monday, 7 Sunday. */
  readonly weekday: number;
  /** Minutes of the day, 0 to 1439. */
  readonly from: number;
  /** Minutes of the day; greater than `from`, at most 1440. */
  readonly to: number;
  /** First day on which the range applies, `YYYY-MM-DD`. */
  readonly validFrom?: string | null | undefined;
  /** Last day on which the range applies, `YYYY-MM-DD`. */
  readonly validTo?: string | null | undefined;
}

/** A period in which the doctor sees nobody: from `from` until just before `to`. */
interface Leave {
  readonly from: WallMinute;
  readonly to: WallMinute;
}

export interface StartCheck {
  readonly start: WallMinute;
  readonly window: ReturnType<typeof bookingWindow>;
  readonly slotMinutes: number;
  /** Of the appointment, if it is not as long as a slot. */
  readonly minutes?: number | undefined;
  /** A doctor without opening hours accepts any time. */
  readonly openings: readonly OpeningRange[];
  readonly leaves: readonly Leave[];
  readonly doctorId: number;
  /** Names of the parameters that contained the start, for the text of a refusal. */
  readonly parameters?: string;
  /** Whether the slot that starts then is taken, so that no refusal proposes it. */
  readonly isTaken?: (start: WallMinute) => boolean;
}

/**
 * Checks that an appointment of this doctor may start then, regardless of other appointments.
 * Throws Refusal PastTime, BeyondHorizon or DoctorNotAvailable, in this order; the text says what would be accepted.
 */
export function checkStart(check: StartCheck): void {
  const { start, doctorId, parameters, window } = check;
  const subject = parameters === undefined ? '' : `Parameters ${parameters}: `;
  if (isPast(check)) {
    const now = spellMinute(wallMinuteAt(window.now, window.zone));
    throw new Refusal(
      'PastTime',
      `${subject}${spellMinute(start)} is in the past; expected a slot that ends after ${now}.`,
    );
  }
  if (dayOf(start) > window.lastDay) {
    throw new Refusal(
      'BeyondHorizon',
      `${subject}${spellMinute(start)} is more than ${HORIZON_DAYS} days ahead; the last day accepted now is ${spellDay(window.lastDay * MINUTES_PER_DAY)}.`,
    );
  }
  if (!isOnGrid(check)) {
    throw new Refusal(
      'DoctorNotAvailable',
      `${subject}${formatClock(minuteOfDay(start))} is not a slot of doctor ${doctorId} on ${spellDay(start)}; ${nearestSlots(check)}.`,
    );
  }
  const leave = leaveAt(check);
  if (leave !== undefined) {
    throw new Refusal(
      'DoctorNotAvailable',
      `${subject}doctor ${doctorId} is on leave from ${spellMinute(leave.from)} to ${spellMinute(leave.to)}; expected a time before or after the leave.`,
    );
  }
}

/** Whether the doctor's hours have a slot that starts then, outside leave, whatever the time is now. */
export const isSlot = (check: StartCheck): boolean => isOnGrid(check) && leaveAt(check) === undefined;

/** Whether a slot of the doctor's hours starts then, and its appointment ends within them. */
export function isOnGrid(check: StartCheck): boolean {
  const { start, slotMinutes, openings, window } = check;
  if (openings.length === 0) return true;
  const midnight = dayOf(start) * MINUTES_PER_DAY;
  const minute = start - midnight;
  return openingsOn(openings, start).some(
    ({ from, to }) =>
      minute >= from && (minute - from) % slotMinutes === 0 && endOf(check) <= firstShown(midnight + to, window.zone),
  );
}

const endOf = ({ start, slotMinutes, minutes = slotMinutes, window }: StartCheck): WallMinute =>
  wallEnd(start, minutes, window.zone);

/** The start of the slot that is running and in which the time lies: a program that sends the current time means it. Otherwise, the time. */
export function slotMeant(check: StartCheck): WallMinute {
  const { start, window } = check;
  const slot = slotsOfDay(check).find(
    (from) => from < start && start < endOf({ ...check, start: from, minutes: undefined }),
  );
  if (slot === undefined || isPast({ ...check, start: slot })) return start;
  return (lastInstantOf(slot, window.zone) ?? window.now) <= window.now ? slot : start;
}

/** The ranges that apply on the day of a minute. */
function openingsOn(openings: readonly OpeningRange[], minute: WallMinute): OpeningRange[] {
  const weekday = isoWeekday(minute);
  return currentOpenings(
    openings.filter((range) => range.weekday === weekday),
    minute,
  );
}

/** The ranges, for any weekday, whose validity includes the day of a minute. */
function currentOpenings(openings: readonly OpeningRange[], minute: WallMinute): OpeningRange[] {
  const day = formatWallDay(minute);
  return openings.filter(({ validFrom, validTo }) => (validFrom ?? day) <= day && day <= (validTo ?? day));
}

function leaveAt(check: StartCheck): Leave | undefined {
  const end = endOf(check);
  // What begins at a time that the clocks skip begins at the first one that they show.
  return check.leaves.find(({ from, to }) => firstShown(from, check.window.zone) < end && to > check.start);
}

/** The starts of the slots on the day of the check's start, in order. */
function slotsOfDay({ start, slotMinutes, openings }: StartCheck): WallMinute[] {
  const midnight = dayOf(start) * MINUTES_PER_DAY;
  const slots = openingsOn(openings, start).flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - from) / slotMinutes) }, (_, n) => midnight + from + n * slotMinutes),
  );
  return slots.sort((a, b) => a - b);
}

/** Of the slots on the same day that would be accepted, the last one before and the first one after, in words. */
export function nearestSlots(check: StartCheck): string {
  const { start, window } = check;
  const slots = slotsOfDay(check);
  const isFree = (slot: WallMinute): boolean => {
    const there = { ...check, start: slot };
    const isBookable =
      lastInstantOf(slot, window.zone) !== undefined && !isPast(there) && dayOf(slot) <= window.lastDay;
    return isBookable && isSlot(there) && !check.isTaken?.(slot);
  };
  const before = slots.findLast((slot) => slot < start && isFree(slot));
  const after = slots.find((slot) => slot > start && isFree(slot));
  const found = [before, after].filter((slot) => slot !== undefined).map((slot) => formatClock(minuteOfDay(slot)));
  if (found.length === 2) return `the nearest free slots are ${found.join(' and ')}`;
  if (found.length === 1) return `the nearest free slot is ${found[0]}`;
  const { OPDays = NO_HOURS, OPTimings } = describeHours(check.openings, start);
  return OPDays === NO_HOURS
    ? 'the doctor has no hours on that day or later'
    : `no slot is free that day; the doctor's days are ${OPDays} and the hours ${OPTimings}`;
}

/** Opening hours in words: `Mon-Sat`, and `09:00-13:00, 17:00-20:00`. */
export interface DescribedHours {
  readonly OPDays?: string;
  readonly OPTimings?: string;
}

/** What stands for the days and the hours of a doctor whose hours have all ended. */
const NO_HOURS = 'None';

/**
 * What a list of doctors says about opening hours on a day: nothing for a doctor who accepts any time; otherwise the hours in force;
 * otherwise those that begin next, with their first day; `None` if all have ended.
 */
export function describeHours(openings: readonly OpeningRange[], today: WallMinute): DescribedHours {
  if (openings.length === 0) return {};
  const current = currentOpenings(openings, today);
  if (current.length > 0) return describeOpenings(current);
  const day = formatWallDay(today);
  const next = openings.flatMap(({ validFrom }) => (validFrom != null && validFrom > day ? [validFrom] : [])).sort()[0];
  if (next === undefined) return { OPDays: NO_HOURS, OPTimings: NO_HOURS };
  const described = describeOpenings(openings.filter(({ validFrom }) => validFrom === next));
  return { ...described, OPTimings: `${described.OPTimings} from ${next}` };
}

/**
 * Opening hours for people: `{ OPDays: 'Mon-Sat', OPTimings: '09:00-13:00, 17:00-20:00' }`. If the hours differ between days, OPTimings
 * names the days: `Mon-Fri 09:00-13:00; Sat 10:00-12:00`. Both are absent without opening hours.
 */
export function describeOpenings(openings: readonly OpeningRange[]): DescribedHours {
  const days = [1, 2, 3, 4, 5, 6, 7].filter((day) => openings.some(({ weekday }) => weekday === day));
  const groups = [...Map.groupBy(days, (day) => timingsOf(openings.filter(({ weekday }) => weekday === day)))];
  const [first] = groups;
  if (first === undefined) return {};
  const OPTimings =
    groups.length === 1
      ? first[0]
      : groups.map(([timings, sameDays]) => `${writeWeekdays(sameDays, ', ')} ${timings}`).join('; ');
  return { OPDays: writeWeekdays(days, ', '), OPTimings };
}

function timingsOf(ranges: readonly OpeningRange[]): string {
  const sorted = ranges.toSorted((a, b) => a.from - b.from || a.to - b.to);
  return [...new Set(sorted.map(({ from, to }) => `${formatClock(from)}-${formatClock(to)}`))].join(', ');
}
