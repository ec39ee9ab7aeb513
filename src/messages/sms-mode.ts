import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { MessagePriority, type Priority } from '../vocabulary/messages.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { firstShown, lastInstantOf, wallMinuteAt } from '../vocabulary/time-zone.ts';
import { minuteOfDay } from '../vocabulary/wall-minute.ts';

export interface SmsMode {
  readonly mode: 1 | 2 | 3 | 4;
  readonly name: 'service' | 'promotional' | 'otp' | 'flash';
  /** Messages with the highest priority are sent first. */
  readonly priority: Priority;
  /** Minutes of the day between which it may be sent, end excluded; absent if it may be sent at any time. */
  readonly window: { readonly from: number; readonly to: number } | undefined;
  /** Minutes after which it is no longer sent; absent if it never expires. */
  readonly expiresAfterMinutes: number | undefined;
  /** Message class 0: displayed immediately and not stored. Source: 3GPP TS 23.038, 4. */
  readonly flash: boolean;
}

const { OneTimePassword, Normal, Promotional } = MessagePriority;
const ANY_TIME = { priority: Normal, window: undefined, expiresAfterMinutes: undefined, flash: false } as const;
const SERVICE: SmsMode = { ...ANY_TIME, mode: 1, name: 'service' };

/** Indexed by the value of parameter SMSmode; 0 means the default, 1. */
export const SMS_MODES: readonly SmsMode[] = [
  SERVICE,
  SERVICE,
  { ...ANY_TIME, mode: 2, name: 'promotional', priority: Promotional, window: { from: 10 * 60, to: 21 * 60 } },
  { ...ANY_TIME, mode: 3, name: 'otp', priority: OneTimePassword, expiresAfterMinutes: 10 },
  { ...ANY_TIME, mode: 4, name: 'flash', flash: true },
];

/** The mode that a value of parameter SMSmode requests. Throws Refusal UnknownMode. */
export function smsMode(value: number): SmsMode {
  const mode = SMS_MODES[value];
  if (mode !== undefined) return mode;
  throw new Refusal(
    'UnknownMode',
    `${value} is not recognized; expected 0 or 1 (service), 2 (promotional), 3 (OTP) or 4 (flash).`,
    'SMSmode',
  );
}

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
  return lastInstantOf(firstShown(opening, zone), zone) ?? now;
}
