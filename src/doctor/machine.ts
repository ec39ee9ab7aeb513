import { existsSync, statSync } from 'node:fs';
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

/** SQLite restarts its write-ahead log at 8 MB; a large import, or a backup of hours, makes it larger for a while. */
const MUCH_LOG_MB = 64;

/** Linux's numbers of file systems without the locks and the shared memory of one machine. Source: statfs(2), linux/magic.h. */
const NOT_LOCAL: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0xc36400, 'Ceph'],
]);

/** The disk that contains the data, and what grows on it. That of a database on another machine is not visible from here. */
export async function checkDisk({ config: { database } }: Context): Promise<readonly Finding[]> {
  if (database.kind !== 'sqlite' || database.path === ':memory:') return [];
  const file = realFile(database.path);
  let folder = dirname(file);
  while (!existsSync(folder)) folder = dirname(folder);
  const found = await statfs(folder).catch(() => undefined);
  if (found === undefined) return [warning('disk', `Nobody knows how much space is free for ${folder}.`)];
  const system = NOT_LOCAL.get(found.type);
  const logged = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) / MEGABYTE;
  const warnings = [
    system !== undefined &&
      `${folder} is on ${system}, where two programs can damage an SQLite file; keep it on a local disk, or use PostgreSQL.`,
    logged > MUCH_LOG_MB &&
      `${file}-wal has grown to ${Math.floor(logged)} MB, because a program reads without an end; find it (lsof), and end it.`,
  ].flatMap((text) => (text === false ? [] : [warning('disk', text)]));
  return [freeSpace(Math.floor((found.bavail * found.bsize) / MEGABYTE), folder), ...warnings];
}

function freeSpace(megabytes: number, folder: string): Finding {
  const text = `${megabytes} MB free for ${folder}`;
  if (megabytes < TOO_LITTLE_SPACE_MB) return wrong('disk', `${text}; free some space, or bookings will fail.`);
  return megabytes < ENOUGH_SPACE_MB ? warning('disk', `${text}; free some space soon.`) : ok('disk', text);
}

export function checkDescriptors({ config, machine }: Context): readonly Finding[] {
  const { who, processReport = {} } = machine;
  const wanted = connectionLimits(config).most;
  const possible = possibleConnections(processReport);
  if (possible >= wanted) return [ok('files', `enough file descriptors for MAX_CONNECTIONS=${wanted}`)];
  const text = `${who} has file descriptors for ${possible} connections, fewer than MAX_CONNECTIONS=${wanted}`;
  return [warning('files', `${text}; raise the limit (LimitNOFILE=, ulimit -n), or lower MAX_CONNECTIONS.`)];
}
