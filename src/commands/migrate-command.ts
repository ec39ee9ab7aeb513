import { readConfig } from '../settings/config.ts';
import type { SchemaUpgrade } from '../store/database-location.ts';
import { openStore } from '../store/open-store.ts';
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
      let upgrade: SchemaUpgrade | undefined;
      const store = await openStore(database, {
        mayCreate: createDatabase,
        onUpgrade: (done) => {
          upgrade = done;
        },
      });
      await store.close();
      host.output.write(
        upgrade === undefined
          ? 'The schema is already that of this version.\n'
          : `The schema is upgraded: from ${upgrade.from ?? 'none'} to ${upgrade.to}.\n`,
      );
    });
  return runCommand(command, args, host);
}
