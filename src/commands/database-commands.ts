import { resolve } from 'node:path';
import { createLog } from '../log/log.ts';
import { DELETED, Retention } from '../service/retention.ts';
import { readConfig } from '../settings/config.ts';
import { openStore } from '../store/open-store.ts';
import { COPIED_FACT } from '../store/sqlite/database-file.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import { quantity } from '../vocabulary/text.ts';
import { type Reference, referenceOption, runRow } from './audit/record-run.ts';
import type { CommandHost, DefineCommand } from './command-host.ts';
import { failureText, refuseMemory, showUpgrade, UsageError, withStore } from './command-host.ts';
import { backUp } from './copies/backup.ts';
import { copyDatabase } from './copies/copy-database.ts';
import { type BackupReport, NUMBER_GAP, restoreBackup } from './copies/sqlite-backup.ts';

export const backupCommand: DefineCommand = (command, host) =>
  command
    .description('Writes a verified copy of the database to a new file, whether or not the service runs.')
    .argument('<file>', 'the file to write; only its owner can read it')
    .addOption(referenceOption())
    .action(async (name: string, flags: Reference) => {
      const begunOn = host.clock();
      const file = resolve(host.folder, name);
      const report = await backUp(readConfig(host.environment).database, file, host);
      writeRows(host, report);
      host.output.write(`${file} is complete and intact.\n`);
      await recordBackup(begunOn, flags, host).catch((error: unknown) => {
        host.errors.write(
          `This backup could not be recorded in the database, so neither tpws_backup_age_seconds nor the audit trail shows it: ${failureText(error)}\n`,
        );
      });
      if (report.differences.length > 0) {
        throw new SetUpError(
          `However, its schema is not as the service creates it, so tpws restore will refuse it: ${report.differences.join(', ')}. What to do: docs/operators/operating.md.`,
        );
      }
    });

const recordBackup = (begunOn: number, flags: Reference, host: CommandHost): Promise<void> =>
  withStore(host, {}, (store) =>
    store.write(async ({ facts, audit }) => {
      await facts.noteStart('last-backup', begunOn);
      await audit.add(runRow(store, 'backup', 'Backup', host, flags));
    }, []),
  );

export const restoreCommand: DefineCommand = (command, host) =>
  command
    .description('Replaces the SQLite database of a stopped service with a backup.')
    .argument('<file>', 'a file that tpws backup wrote')
    .option('--force', 'restore even if there is a database already, which is kept under another name')
    .action(async (name: string, { force = false }: { readonly force?: boolean }) => {
      const { database } = readConfig(host.environment);
      const row = runRow(host, 'restore', 'Restore', host, {}, { action: 'E' });
      const report = await restoreBackup(database, resolve(host.folder, name), { force }, row, host);
      writeRows(host, report);
      if (report.kept !== undefined) host.output.write(`The database that was there is now ${report.kept}.\n`);
      host.output.write(
        `New appointments, messages and feedback skip ${NUMBER_GAP} numbers, which the lost ones may have had.\n`,
      );
      const next = report.schema === 'older' ? '; the next start of the service brings its schema up to date' : '';
      host.output.write(`The backup is restored${next}.\n`);
    });

function writeRows({ output }: CommandHost, { rows }: BackupReport): void {
  for (const [table, count] of rows) output.write(`${table}: ${quantity(count, 'row')}\n`);
}

export const copyCommand: DefineCommand = (command, host) =>
  command
    .description('Copies the SQLite file of DATABASE_URL into an empty PostgreSQL database. Stop the service first.')
    // Not the URL itself: others on this machine can see command lines, and it may have a password.
    .option('--to-file <file>', 'a file that contains postgres://USER@HOST:PORT/DATABASE without tables')
    .option('--stay', 'copy nothing, and let the service go on with a file that was copied')
    .action(({ toFile, stay }: { readonly toFile?: string; readonly stay?: boolean }) => {
      if ((toFile === undefined) === (stay === undefined)) throw new UsageError('Expected --to-file or --stay.');
      return toFile === undefined ? goOn(host) : copy(toFile, host);
    });

/** Removes from the file that it was copied. */
const goOn = (host: CommandHost): Promise<void> =>
  withStore(host, {}, async (store) => {
    await store.write(({ facts }) => facts.remove({ name: COPIED_FACT }), []);
    host.output.write(`The service may go on with the ${store.description}.\n`);
  });

async function copy(
  toFile: string,
  { environment, folder, clock, output, errors, progress }: CommandHost,
): Promise<void> {
  const setting = { DATABASE_URL_FILE: resolve(folder, toFile) };
  const from = readConfig(environment).database;
  const { DATABASE_URL_FILE: _, DATABASE_URL: __, ...others } = environment;
  const to = readConfig({ ...others, ...setting }).database;
  if (from.kind !== 'sqlite' || to.kind !== 'postgres') {
    throw new UsageError('Expected DATABASE_URL to name an SQLite file, and the target to be a PostgreSQL database.');
  }
  const began = clock();
  const { tables, unnoted } = await copyDatabase(from.path, to, began, progress);
  const seconds = (clock() - began) / 1000;
  for (const { name, rows, checksum } of tables) {
    output.write(`${name}: ${quantity(rows, 'row')}, checksum ${checksum}\n`);
  }
  output.write(`The target now contains the same; this took ${seconds.toFixed(1)} s.\n`);
  if (unnoted !== undefined) {
    errors.write(`The old file does not say that it was copied, so that a start would go on with it: ${unnoted}\n`);
  }
  output.write(`Next: DATABASE_URL_FILE=${setting.DATABASE_URL_FILE}, start the service, then tpws doctor.\n`);
}

/**
 * `migrate`: brings the database's schema up to date, as a start of the service would, and ends. For a user who owns the tables, if the
 * service's own user may not change them.
 */
export const migrateCommand: DefineCommand = (command, host) =>
  command.description("Upgrades the database's schema, for a service whose role may not do so.").action(async () => {
    const { database, createDatabase } = readConfig(host.environment);
    refuseMemory(database);
    await (await openStore(database, { mayCreate: createDatabase, onUpgrade: showUpgrade(host.output) })).close();
    host.output.write('The schema is that of this version.\n');
  });

export const retentionCommand: DefineCommand = (command, host) =>
  command
    .description(
      'Deletes what has expired now, instead of within the hour. The settings …_RETENTION_DAYS say what expires.',
    )
    .option('--yes', 'delete even if the clock is more than a week ahead of the last thing recorded: it is right')
    .action(({ yes: isSure = false }: { readonly yes?: boolean }) =>
      withStore(host, { isLong: true }, async (store, { retentionDays, sms: { gateway } }) => {
        const deleted = await new Retention({
          ...host,
          clock: store.clock,
          store,
          log: createLog('silent'),
          keptDays: retentionDays,
          messageFile: gateway.kind === 'file' ? gateway.path : undefined,
        }).clean({ atOnce: true, isSure });
        for (const [kind, name] of Object.entries(DELETED)) {
          host.output.write(`${name}: ${deleted?.[kind as keyof typeof DELETED] ?? 0} deleted\n`);
        }
      }),
    );
