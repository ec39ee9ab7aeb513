import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { realFile, withCompanions } from '../store/file-flaw.ts';
import { type Context, type Finding, ok, warning } from './finding.ts';

/** Permissions of the group and of all others. */
const OTHERS = 0o077;

/** Whether only their owner can read the files with patient data and secrets. */
export async function checkFileRights({ config, machine }: Context): Promise<readonly Finding[]> {
  const { database, secretFiles } = config;
  const isFile = database.kind === 'sqlite' && database.path !== ':memory:';
  const files = [...(isFile ? withCompanions(realFile(database.path)) : []), ...secretFiles];
  return machine.platform === 'win32' ? folderRights(files) : fileModes(files);
}

async function fileModes(files: readonly string[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (found === undefined || (found.mode & OTHERS) === 0) continue;
    // A container gets its secrets as files that everyone in it may read, but there is nobody else in it.
    const mode = (found.mode & 0o777).toString(8);
    const advice = "let it belong to the service's user, and run chmod 600 on it";
    findings.push(warning('file modes', `${file} has mode ${mode}: others may read it; ${advice}.`));
  }
  return findings.length > 0 ? findings : [ok('file modes', 'Nobody else can read the data and the secrets.')];
}

/** Windows keeps permissions in access control lists, which Node does not read, so a person must check them. */
function folderRights(files: readonly string[]): readonly Finding[] {
  const folders = [...new Set(files.map((file) => dirname(resolve(file))))];
  const text = "must list only the service's account, SYSTEM and Administrators; this command cannot check that";
  return folders.map((folder) => warning('file rights', `icacls "${folder}" ${text}. See docs/operators/windows.md.`));
}
