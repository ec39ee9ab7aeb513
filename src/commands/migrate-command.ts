import { readConfig } from '../settings/config.ts';
import { openStore } from '../store/open-store.ts';
import { type CommandHost, newCommand, refuseMemory, runCommand, showUpgrade } from './command-host.ts';

/**
 * `migrate`: brings the database's schema up to date, as a start of the service would, and ends. For a user who owns the tables, if the
 * service's own user may not change them. Resolves with the exit code.
 */
export function migrateCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('migrate', host)
    .description("Upgrades the database's schema, for a service whose role may not do so.")
    .action(async () => {
      const { database, createDatabase } = readConfig(host.environment);
      refuseMemory(database);
      await (await openStore(database, { mayCreate: createDatabase, onUpgrade: showUpgrade(host.output) })).close();
      host.output.write('The schema is that of this version.\n');
    });
  return runCommand(command, args, host);
}
