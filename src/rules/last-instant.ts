import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { type WallMinute, wallMinute } from './wall-minute.ts';
import { MS_A_MINUTE, zoneOffset } from './zone-offset.ts';

/** The beginnings of the years 1970 and 10000 in minutes: the range for which time zone rules are known or at least announced. */
export const RULES_FROM = 0;
export const RULES_TO = wallMinute({ year: 10_000, month: 1, day: 1 }, 0, 0);

const MS_A_DAY = MINUTES_PER_DAY * MS_A_MINUTE;

/**
 * The instant, in ms, at which the clocks of a zone show a minute: the later one if they show it twice, undefined if they skip it. Outside
 * the years whose rules are known, the zone is assumed to keep its offset.
 */
export function lastInstantOf(minute: WallMinute, zone: string): number | undefined {
  const asUtc = minute * MS_A_MINUTE;
  // The offset in force is that of the day after or the day before, because no zone changes more often than that.
  const after = zoneOffset(asUtc + MS_A_DAY, zone);
  const before = zoneOffset(asUtc - MS_A_DAY, zone);
  if (minute < RULES_FROM + MINUTES_PER_DAY || minute >= RULES_TO - MINUTES_PER_DAY) return asUtc - after;
  const instants = [after, before].filter((offset) => zoneOffset(asUtc - offset, zone) === offset);
  return instants.length === 0 ? undefined : asUtc - Math.min(...instants);
}

/** Whether the clocks of the zone ever show this minute. */
export const existsIn = (zone: string, minute: WallMinute): boolean => lastInstantOf(minute, zone) !== undefined;
