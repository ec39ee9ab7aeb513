import { resolve } from 'node:path';
import { type BackupReport, backUp, restoreBackup } from '../maintenance/sqlite-backup.ts';
import { readConfig } from '../settings/config.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import { quantity } from '../vocabulary/text.ts';
import { type Reference, referenceOption, runRow } from './audit/record-run.ts';
import { type CommandHost, failureText, newCommand, runCommand, withStore } from './command-host.ts';

/** `backup FILE`: writes a verified copy of the service's SQLite file, which may be in use. Resolves with the exit code. */
export function backupCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('backup', host)
    .description('Writes a verified copy of the SQLite database to a new file, whether or not the service runs.')
    .argument('<file>', 'the file to write; only its owner can read it')
    .addOption(referenceOption())
    .action(async (name: string, flags: Reference) => {
      const begunOn = host.clock();
      const file = resolve(host.folder, name);
      const report = await backUp(readConfig(host.environment).database, file, host.beforeEnd);
      writeRows(host, report);
      host.output.write(`${file} is complete and intact.\n`);
      await recordBackup(begunOn, flags, host).catch((error: unknown) => {
        host.errors.write(
          `This backup could not be recorded in the database, so neither tpws_backup_age_seconds nor the audit trail shows it: ${failureText(error)}\n`,
        );
      });
      if (report.differences.length > 0) {
        throw new SetUpError(
          `However, its schema is not as the service creates it, so tpws restore will refuse it: ${report.differences.join(', ')}. What to do: docs/operating.md.`,
        );
      }
    });
  return runCommand(command, args, host);
}

const recordBackup = (begunOn: number, flags: Reference, host: CommandHost): Promise<void> =>
  withStore(host, { mustExist: true }, (store) =>
    store.write(async ({ facts, audit }) => {
      await facts.noteBackup(begunOn);
      await audit.add(runRow('backup', 'Backup', host, flags));
    }, []),
  );

/** `restore FILE`: verifies a backup, then replaces the service's SQLite file with it. Resolves with the exit code. */
export function restoreCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('restore', host)
    .description('Replaces the SQLite database of a stopped service with a backup.')
    .argument('<file>', 'a file that tpws backup wrote')
    .option('--force', 'restore even if there is a database already, which is kept under another name')
    .action(async (name: string, { force = false }: { readonly force?: boolean }) => {
      const { database } = readConfig(host.environment);
      const report = await restoreBackup(database, resolve(host.folder, name), { force }, host.beforeEnd);
      writeRows(host, report);
      if (report.kept !== undefined) host.output.write(`The database that was there is now ${report.kept}.\n`);
      const next = report.schema === 'older' ? '; the next start of the service brings its schema up to date' : '';
      host.output.write(`The backup is restored${next}.\n`);
    });
  return runCommand(command, args, host);
}

function writeRows({ output }: CommandHost, { rows }: BackupReport): void {
  for (const [table, count] of rows) output.write(`${table}: ${quantity(count, 'row')}\n`);
}
