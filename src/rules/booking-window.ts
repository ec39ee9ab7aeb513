import { Refusal } from '../vocabulary/result-codes.ts';
import { MINUTES_A_DAY, spellMinute, type WallMinute } from './wall-minute.ts';

/** Minutes that a start may lie in the past: clocks differ, and typing takes time. */
const PAST_GRACE_MINUTES = 5;

/** Days that a start may lie ahead. */
const HORIZON_DAYS = 365;

const earliestStart = (now: WallMinute): WallMinute => now - PAST_GRACE_MINUTES;
const latestStart = (now: WallMinute): WallMinute => now + HORIZON_DAYS * MINUTES_A_DAY;

/** Whether an appointment may start then, the doctor's hours aside. */
export const isInBookingWindow = (start: WallMinute, now: WallMinute): boolean =>
  start >= earliestStart(now) && start <= latestStart(now);

/** Throws Refusal PastTime or BeyondHorizon, whose text begins with `subject` and says what would be accepted. */
export function checkBookingWindow(start: WallMinute, now: WallMinute, subject: string): void {
  if (start < earliestStart(now)) {
    throw new Refusal(
      'PastTime',
      `${subject}${spellMinute(start)} is in the past; the earliest start accepted now is ${spellMinute(earliestStart(now))}.`,
    );
  }
  if (start > latestStart(now)) {
    throw new Refusal(
      'BeyondHorizon',
      `${subject}${spellMinute(start)} is more than ${HORIZON_DAYS} days ahead; the latest start accepted now is ${spellMinute(latestStart(now))}.`,
    );
  }
}
