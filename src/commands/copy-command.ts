import { resolve } from 'node:path';
import { copyDatabase } from '../maintenance/copy-database.ts';
import { readConfig } from '../settings/config.ts';
import { quantity } from '../vocabulary/text.ts';
import { type CommandHost, newCommand, runCommand, UsageError } from './command-host.ts';

/** `copy --to-file FILE`: copies the service's SQLite file into PostgreSQL. Resolves with the exit code. */
export function copyCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('copy', host)
    .description('Copies the SQLite file of DATABASE_URL into an empty PostgreSQL database. Stop the service first.')
    // Not the URL itself: others on this machine can see command lines, and it may have a password.
    .requiredOption('--to-file <file>', 'a file that contains postgres://USER@HOST:PORT/DATABASE without tables')
    .action(({ toFile }: { readonly toFile: string }) => copy(toFile, host));
  return runCommand(command, args, host);
}

async function copy(toFile: string, { environment, folder, clock, output }: CommandHost): Promise<void> {
  const setting = { DATABASE_URL_FILE: resolve(folder, toFile) };
  const from = readConfig(environment).database;
  const { DATABASE_URL_FILE: _, DATABASE_URL: __, ...others } = environment;
  const to = readConfig({ ...others, ...setting }).database;
  if (from.kind !== 'sqlite' || to.kind !== 'postgres') {
    throw new UsageError('Expected DATABASE_URL to name an SQLite file, and the target to be a PostgreSQL database.');
  }
  const began = clock();
  const { tables } = await copyDatabase(from.path, to);
  const seconds = (clock() - began) / 1000;
  for (const { name, rows, checksum } of tables) {
    output.write(`${name}: ${quantity(rows, 'row')}, checksum ${checksum}\n`);
  }
  output.write(`The target now contains the same; this took ${seconds.toFixed(1)} s.\n`);
  output.write(`Next: DATABASE_URL_FILE=${setting.DATABASE_URL_FILE}, start the service, then tpws doctor.\n`);
}
