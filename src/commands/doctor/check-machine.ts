import { OLDEST_NODE } from '../../process/require-node.js';
import { isTimeZone, wallMinuteAt } from '../../rules/time-zone.ts';
import { formatWallMinute } from '../../rules/wall-minute.ts';
import type { Config } from '../../settings/config.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** What the doctor is told about the process in which it runs. */
export interface Machine {
  /** Version of Node, such as v24.1.0. */
  readonly nodeVersion: string;
  /** Version of the time zone data, such as 2025b; undefined if Node has none. */
  readonly timeZoneData: string | undefined;
  readonly platform: NodeJS.Platform;
}

/** Milliseconds since the epoch. If a machine's clock shows an earlier time, the clock's battery is dead. */
const EARLIEST = Date.UTC(2026, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

export function checkNode({ nodeVersion }: Machine): Finding {
  const major = Number(/^v(\d+)\./.exec(nodeVersion)?.[1]);
  if (major >= OLDEST_NODE) return ok('Node', nodeVersion);
  return wrong(
    'Node',
    `${nodeVersion}; expected ${OLDEST_NODE} or later, which npm ci installs: start the service with npm.`,
  );
}

export function checkClock(
  now: number,
  { hospital: { timeZone } }: Config,
  { timeZoneData }: Machine,
): readonly Finding[] {
  if (!(now >= EARLIEST && now < LATEST)) {
    return [wrong('clock', `It shows ${Math.round(now / 1000)} seconds since 1970; set it, preferably with NTP.`)];
  }
  if (timeZoneData === undefined || !isTimeZone(timeZone)) {
    return [wrong('time zones', 'This Node has no time zone data; expected one with full ICU, as npm ci installs.')];
  }
  return [
    ok('clock', `In ${timeZone} it is ${formatWallMinute(wallMinuteAt(now, timeZone))}; compare it with a watch.`),
    ok('time zones', `Data of ${timeZoneData}`),
  ];
}
