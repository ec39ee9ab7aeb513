import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readContract } from '../../contract/read-contract.ts';
import { ownWsdl } from '../../contract/wsdl-document.ts';
import { type Finding, ok, warning } from '../../maintenance/finding.ts';
import type { Config } from '../../settings/config.ts';
import { MINUTES_PER_DAY } from '../../vocabulary/appointments.ts';

export interface Runtime {
  /** Version of Node, such as v24.1.0. */
  readonly nodeVersion: string;
  /** Version of the time zone data, such as 2025b. */
  readonly timeZoneData: string;
  readonly platform: NodeJS.Platform;
  /** Node's diagnostic report of this process. */
  readonly processReport?: object;
}

/** Permissions of the group and of all others. */
const OTHERS = 0o077;

/** Whether only their owner can read the files with patient data and secrets. */
export async function checkFileRights(
  dataFiles: readonly string[],
  secretFiles: readonly string[],
  { platform }: Runtime,
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

/** How much one address may store in a day: feedback, which has the longest texts that are stored, of characters of 4 bytes. */
export function checkGrowth({ limits: { rate } }: Config): Finding {
  if (rate.perMinute === 0) return warning('growth', 'RATE_LIMIT=0: any caller can fill the disk; set a limit.');
  const feedback = readContract(ownWsdl()).operations.find(({ name }) => name === 'FB_Push_Details');
  const characters = feedback?.parameters.reduce((sum, { maxLength = 0 }) => sum + maxLength, 0) ?? 0;
  const gigabytes = Math.ceil((rate.perMinute * MINUTES_PER_DAY * characters * 4) / 1e9);
  return ok('growth', `at RATE_LIMIT=${rate.perMinute}, one address can store up to ${gigabytes} GB of feedback a day`);
}
