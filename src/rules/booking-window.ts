import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { lastInstantOf, MS_A_MINUTE, wallMinuteAt } from './time-zone.ts';
import { dayOf, spellDay, spellMinute, type WallMinute } from './wall-minute.ts';

/** How many minutes in the past a start may be, because clocks differ, and typing takes time. */
const PAST_GRACE_MINUTES = 5;

/** How many days ahead a start may be. */
const HORIZON_DAYS = 365;

/** The starts that may be booked at an instant in a zone. */
export interface BookingWindow {
  /** IANA name. */
  readonly zone: string;
  /** Instant, ms. A time that the clocks show twice counts as the second occurrence, because there is no way to tell which one is meant. */
  readonly earliest: number;
  /** Day number. */
  readonly lastDay: number;
}

/** `now` is an instant in ms. */
export function bookingWindow(now: number, zone: string): BookingWindow {
  const wholeMinute = Math.floor(now / MS_A_MINUTE) * MS_A_MINUTE;
  return {
    zone,
    earliest: wholeMinute - PAST_GRACE_MINUTES * MS_A_MINUTE,
    lastDay: dayOf(wallMinuteAt(now, zone)) + HORIZON_DAYS,
  };
}

/** Whether an appointment may start then, regardless of the doctor's hours. False for a time that the clocks of the zone skip. */
export const isInBookingWindow = (start: WallMinute, { zone, earliest, lastDay }: BookingWindow): boolean =>
  (lastInstantOf(start, zone) ?? Number.NEGATIVE_INFINITY) >= earliest && dayOf(start) <= lastDay;

/** Throws Refusal PastTime or BeyondHorizon, whose text begins with `subject` and says what would be accepted. */
export function checkBookingWindow(start: WallMinute, window: BookingWindow, subject: string): void {
  if ((lastInstantOf(start, window.zone) ?? window.earliest) < window.earliest) {
    const earliest = wallMinuteAt(window.earliest, window.zone);
    throw new Refusal(
      'PastTime',
      `${subject}${spellMinute(start)} is in the past; the earliest start accepted now is ${spellMinute(earliest)}.`,
    );
  }
  if (dayOf(start) > window.lastDay) {
    throw new Refusal(
      'BeyondHorizon',
      `${subject}${spellMinute(start)} is more than ${HORIZON_DAYS} days ahead; the last day accepted now is ${spellDay(window.lastDay * MINUTES_PER_DAY)}.`,
    );
  }
}
