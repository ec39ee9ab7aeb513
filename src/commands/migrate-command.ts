import { readConfig } from '../settings/config.ts';
import { openStore } from '../store/open-store.ts';
import { upgradeText } from '../store/schema-state.ts';
import { type CommandHost, newCommand, refuseMemory, runCommand } from './command-host.ts';

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
      let isCurrent = true;
      const store = await openStore(database, {
        mayCreate: createDatabase,
        onUpgrade: (upgrade) => {
          isCurrent = false;
          host.output.write(`${upgradeText(upgrade)}\n`);
        },
      });
      await store.close();
      if (isCurrent) host.output.write('The schema is already that of this version.\n');
    });
  return runCommand(command, args, host);
}
