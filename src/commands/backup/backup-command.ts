import { resolve } from 'node:path';
import { Command } from 'commander';
import { readConfig } from '../../settings/config.ts';
import { backUp } from '../../store/back-up.ts';
import { type CommandHost, runCommand } from '../command-host.ts';
import { tellRows } from './tell-rows.ts';

/** `backup FILE`: writes a verified copy of the service's database, which may be in use. Resolves with the exit code. */
export function backupCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = new Command('npm run backup --')
    .description('Writes a verified copy of the database to a new file, while the service runs or not.')
    .argument('<file>', 'the copy; only its owner may read it')
    .exitOverride()
    .configureOutput({ writeOut: (text) => host.output.write(text), writeErr: (text) => host.errors.write(text) })
    .action(async (name: string) => {
      const file = resolve(host.folder, name);
      const report = await backUp(readConfig(host.environment).database, file, host.environment);
      tellRows(host.output, report);
      host.output.write(`${file} is whole.\n`);
    });
  return runCommand(host, () => command.parseAsync(args, { from: 'user' }));
}
