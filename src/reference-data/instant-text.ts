import { parseFormDateTime } from '../contract/form-date-time.ts';
import { lastInstantOf, MS_A_MINUTE, wallSecondTextAt, zoneOffset } from '../rules/time-zone.ts';
import { formatClock, type WallMinute, wallMinute } from '../rules/wall-minute.ts';

/** `2026-11-22T10:15:07.123+05:30`: an instant, in ms, as local time in a zone. Its meaning does not depend on who reads it. */
export function instantText(epochMs: number, zone: string): string {
  const minutes = zoneOffset(epochMs, zone) / MS_A_MINUTE;
  const ofSecond = `${epochMs - Math.floor(epochMs / 1000) * 1000}`.padStart(3, '0');
  // In the past, some zones had offsets that include seconds.
  if (!Number.isInteger(minutes)) return `${wallSecondTextAt(epochMs, 'UTC')}.${ofSecond}Z`;
  const size = formatClock(Math.abs(minutes));
  return `${wallSecondTextAt(epochMs, zone)}.${ofSecond}${minutes < 0 ? '-' : '+'}${size}`;
}

/**
 * The instant, in ms, for a text of that form or another date and time. If it has no offset, it is local time in the zone. Undefined for
 * any other text.
 */
export function readInstantText(text: string, zone: string): number | undefined {
  return instantOf(
    text,
    (wall) => lastInstantOf(wall, zone) ?? wall * MS_A_MINUTE - zoneOffset(wall * MS_A_MINUTE, zone),
  );
}

/** The same for a text that means the same instant everywhere, because it has an offset or Z. Undefined for any other text. */
export const readOffsetInstant = (text: string): number | undefined => instantOf(text, () => undefined);

/** `onClock` returns the instant, in ms, of a wall minute without an offset. */
function instantOf(text: string, onClock: (wall: WallMinute) => number | undefined): number | undefined {
  const value = parseFormDateTime(text);
  if (typeof value === 'string' || value.date === undefined) return undefined;
  const { hour, minute, second, fraction } = value.time ?? { hour: 0, minute: 0, second: 0, fraction: '' };
  const wall = wallMinute(value.date, hour, minute);
  const began = value.offset === undefined ? onClock(wall) : (wall - value.offset) * MS_A_MINUTE;
  return began === undefined ? undefined : began + second * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
}

/** For the message that rejects anything that is not an instant. */
export const INSTANT_FORM =
  "a day and a time such as 2026-11-22T10:15:00+05:30; without an offset, on the center's clock";
