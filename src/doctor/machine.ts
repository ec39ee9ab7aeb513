import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { connectionLimits, possibleConnections } from '../http/connection-limits.ts';
import { realFile } from '../store/file-flaw.ts';
import { formatInstant, wallMinuteAt } from '../vocabulary/time-zone.ts';
import { formatWallMinute } from '../vocabulary/wall-minute.ts';
import { type Context, type Finding, ok, warning, wrong } from './finding.ts';

/** Milliseconds since the epoch. If a machine's clock shows an earlier time, the clock's battery is dead. */
const EARLIEST = Date.UTC(2026, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

export function checkClock({ config, clock }: Context): readonly Finding[] {
  const { timeZone } = config.hospital;
  const now = clock();
  if (!(now >= EARLIEST && now < LATEST)) {
    return [wrong('clock', `It shows ${formatInstant(now)}; set it, preferably with NTP.`)];
  }
  const time = formatWallMinute(wallMinuteAt(now, timeZone)).slice(0, 16).replace('T', ' ');
  return [ok('clock', `In ${timeZone} it is ${time}; compare it with a watch.`)];
}

const MEGABYTE = 1024 * 1024;
/** Enough for a year of bookings at a large hospital. */
const ENOUGH_SPACE_MB = 1024;
const TOO_LITTLE_SPACE_MB = 100;

/** Free space on the disk that contains the data. The disk of a database on another machine is not visible from here. */
export async function checkDisk({ config: { database } }: Context): Promise<readonly Finding[]> {
  if (database.kind !== 'sqlite' || database.path === ':memory:') return [];
  let folder = dirname(realFile(database.path));
  while (!existsSync(folder)) folder = dirname(folder);
  const found = await statfs(folder).catch(() => undefined);
  if (found === undefined) return [warning('disk', `Nobody knows how much space is free for ${folder}.`)];
  const free = Math.floor((found.bavail * found.bsize) / MEGABYTE);
  const text = `${free} MB free for ${folder}`;
  if (free < TOO_LITTLE_SPACE_MB) return [wrong('disk', `${text}; free some space, or bookings will fail.`)];
  return [free < ENOUGH_SPACE_MB ? warning('disk', `${text}; free some space soon.`) : ok('disk', text)];
}

export function checkDescriptors({ config, machine }: Context): readonly Finding[] {
  const { who, processReport = {} } = machine;
  const wanted = connectionLimits(config).most;
  const possible = possibleConnections(processReport);
  if (possible >= wanted) return [ok('files', `enough file descriptors for MAX_CONNECTIONS=${wanted}`)];
  const text = `${who} has file descriptors for ${possible} connections, fewer than MAX_CONNECTIONS=${wanted}`;
  return [warning('files', `${text}; raise the limit (LimitNOFILE=, ulimit -n), or lower MAX_CONNECTIONS.`)];
}
