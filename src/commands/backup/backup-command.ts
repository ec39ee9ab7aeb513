import { resolve } from 'node:path';
import { readConfig } from '../../settings/config.ts';
import { backUp } from '../../store/back-up.ts';
import { type CommandHost, failureText, newCommand, runCommand, withStore } from '../command-host.ts';
import { tellRows } from './tell-rows.ts';

/** `backup FILE`: writes a verified copy of the service's database, which may be in use. Resolves with the exit code. */
export function backupCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('backup', host)
    .description('Writes a verified copy of the database to a new file, whether or not the service runs.')
    .argument('<file>', 'the file to write; only its owner can read it')
    .action(async (name: string) => {
      const begunOn = host.clock();
      const file = resolve(host.folder, name);
      const report = await backUp(readConfig(host.environment).database, file, host);
      tellRows(host.output, report);
      host.output.write(`${file} is complete and intact.\n`);
      await noteAge(begunOn, host).catch((error: unknown) => {
        host.errors.write(
          `This backup could not be recorded in the database, so tpws_backup_age_seconds does not show it: ${failureText(error)}\n`,
        );
      });
    });
  return runCommand(command, args, host);
}

const noteAge = (begunOn: number, host: CommandHost): Promise<void> =>
  withStore(host, { mustExist: true }, (store) => store.write(({ backups }) => backups.note(begunOn), []));
