import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import type { SmsMode } from './sms-text.ts';
import { minuteOfDay } from './wall-minute.ts';
import { MS_A_MINUTE, wallMinuteAt } from './zone-offset.ts';

/**
 * The first instant from `now` on, both in ms, at which a message of the mode may be sent: `now` itself, or the time at which its window
 * opens in the zone, an IANA name.
 * Source: TRAI, Telecom Commercial Communications Customer Preference Regulations, 2018: promotional messages from 10:00 to 21:00.
 */
export function sendableFrom({ window }: SmsMode, now: number, zone: string): number {
  if (window === undefined) return now;
  const wall = wallMinuteAt(now, zone);
  const minute = minuteOfDay(wall);
  if (minute >= window.from && minute < window.to) return now;
  const opening = wall - minute + window.from + (minute < window.from ? 0 : MINUTES_PER_DAY);
  const guess = (Math.floor(now / MS_A_MINUTE) + opening - wall) * MS_A_MINUTE;
  // There was a clock change in between, which moved the opening time.
  return guess + (opening - wallMinuteAt(guess, zone)) * MS_A_MINUTE;
}
