import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseLocation } from '../../store/database-location.ts';
import { realFile } from '../../store/file-flaw.ts';
import { placeOf } from '../../store/postgres/server.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import { writeNewFile } from './part-file.ts';
import { type BackupHost, dumpPostgres } from './postgres-backup.ts';
import { type BackupReport, copySqlite, explained } from './sqlite-backup.ts';

/**
 * Writes a verified copy of a database, which may be in use, to a new file that only its owner can read, and returns what the copy contains:
 * every row that was committed before the call. Throws SetUpError, in which case there is no file.
 */
export async function backUp(location: DatabaseLocation, target: string, host: BackupHost): Promise<BackupReport> {
  const folder = dirname(target);
  // The folder is not created here: its disk may not be mounted, and the copy would then end up on the same disk as the original.
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SetUpError(`There is no folder ${folder}; expected the folder of the backup to exist.`);
  }
  const [name, fill] =
    location.kind === 'postgres'
      ? [placeOf(location), (part: string) => dumpPostgres(location, part, host)]
      : [realFile(location.path), copySqlite(location, host)];
  return explained(name, () => writeNewFile(target, host.beforeEnd, fill));
}
