import { resolve } from 'node:path';
import { readConfig } from '../../settings/config.ts';
import { restoreBackup } from '../../store/back-up.ts';
import { type CommandHost, newCommand, runCommand } from '../command-host.ts';
import { tellRows } from './tell-rows.ts';

/** `restore FILE`: verifies a backup, then replaces the service's database with it. Resolves with the exit code. */
export function restoreCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('restore', host)
    .description('Replaces the database of a stopped service with a backup.')
    .argument('<file>', 'a file that tpws backup wrote')
    .option('--force', 'restore even if there is a database already; with SQLite, it is kept under another name')
    .action(async (name: string, { force = false }: { readonly force?: boolean }) => {
      const { database } = readConfig(host.environment);
      const report = await restoreBackup(database, resolve(host.folder, name), { force }, host);
      tellRows(host.output, report);
      if (report.kept !== undefined) host.output.write(`The database that was there is now ${report.kept}.\n`);
      const next = report.schema === 'older' ? '; the next start of the service brings its schema up to date' : '';
      host.output.write(`The backup is restored${next}.\n`);
    });
  return runCommand(command, args, host);
}
