import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { connectionLimits, possibleConnections } from '../../http/limit-connections.ts';
import { type Finding, ok, warning, wrong } from '../../maintenance/finding.ts';
import { wallMinuteAt } from '../../rules/time-zone.ts';
import { formatWallMinute } from '../../rules/wall-minute.ts';
import type { Config } from '../../settings/config.ts';

export interface Machine {
  /** Version of Node, such as v24.1.0. */
  readonly nodeVersion: string;
  /** Version of the time zone data, such as 2025b. */
  readonly timeZoneData: string;
  readonly platform: NodeJS.Platform;
  /** Node's diagnostic report of this process. */
  readonly processReport?: object;
}

/** Milliseconds since the epoch. If a machine's clock shows an earlier time, the clock's battery is dead. */
const EARLIEST = Date.UTC(2026, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

export function checkClock(now: number, { hospital: { timeZone } }: Config): Finding {
  if (!(now >= EARLIEST && now < LATEST)) {
    return wrong('clock', `It shows ${Math.round(now / 1000)} seconds since 1970; set it, preferably with NTP.`);
  }
  return ok('clock', `In ${timeZone} it is ${formatWallMinute(wallMinuteAt(now, timeZone))}; compare it with a watch.`);
}

/** Whether a process that is started as this one was may open enough files. */
export function checkDescriptors({ processReport = {} }: Machine, config: Config): Finding {
  const wanted = connectionLimits(config).most;
  const possible = possibleConnections(processReport);
  if (possible >= wanted) return ok('files', `enough file descriptors for MAX_CONNECTIONS=${wanted}`);
  const text = `A process started from here has file descriptors for ${possible} connections, fewer than MAX_CONNECTIONS=${wanted}`;
  return warning('files', `${text}; raise the limit (LimitNOFILE=, ulimit -n), or lower MAX_CONNECTIONS.`);
}

const MEGABYTE = 1024 * 1024;
/** Enough for a year of bookings at a large hospital. */
const ENOUGH_SPACE_MB = 1024;
const TOO_LITTLE_SPACE_MB = 100;
/** Permissions of the group and of all others. */
const OTHERS = 0o077;

/** Free space on the disk that contains the data. The disk of a database on another machine is not visible from here. */
export async function checkDisk({ database }: Config): Promise<readonly Finding[]> {
  if (database.kind !== 'sqlite' || database.path === ':memory:') return [];
  let folder = dirname(resolve(database.path));
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / MEGABYTE);
  const text = `${free} MB free for ${folder}`;
  if (free < TOO_LITTLE_SPACE_MB) return [wrong('disk', `${text}; free some space, or bookings will fail.`)];
  return [free < ENOUGH_SPACE_MB ? warning('disk', `${text}; free some space soon.`) : ok('disk', text)];
}

/** Whether only their owner can read the files with patient data and secrets. */
export async function checkFileRights(
  dataFiles: readonly string[],
  secretFiles: readonly string[],
  { platform }: Machine,
): Promise<readonly Finding[]> {
  const files = [...dataFiles, ...secretFiles];
  return platform === 'win32' ? folderRights(files) : fileModes(files);
}

async function fileModes(files: readonly string[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (found === undefined || (found.mode & OTHERS) === 0) continue;
    // A container gets its secrets as files that everyone in it may read, but there is nobody else in it.
    const mode = (found.mode & 0o777).toString(8);
    findings.push(warning('file modes', `${file} has mode ${mode}: others may read it; run chmod 600 on it.`));
  }
  return findings.length > 0 ? findings : [ok('file modes', 'Nobody else can read the data and the secrets.')];
}

/** Windows keeps permissions in access control lists, which Node does not read, so a person must check them. */
function folderRights(files: readonly string[]): readonly Finding[] {
  const folders = [...new Set(files.map((file) => dirname(resolve(file))))];
  const text = "must list only the service's account, SYSTEM and Administrators; this command cannot check that";
  return folders.map((folder) => warning('file rights', `icacls "${folder}" ${text}. See docs/windows.md.`));
}
