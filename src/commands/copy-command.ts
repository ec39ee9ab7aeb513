import { resolve } from 'node:path';
import { copyDatabase } from '../maintenance/copy-database.ts';
import { readConfig } from '../settings/config.ts';
import { quantity } from '../vocabulary/text.ts';
import { type CommandHost, newCommand, runCommand, UsageError } from './command-host.ts';

interface Flags {
  readonly to?: string;
  readonly toFile?: string;
}

/** `copy --to URL` or `copy --to-file FILE`: copies the service's SQLite file into PostgreSQL. Resolves with the exit code. */
export function copyCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('copy', host)
    .description('Copies the SQLite file of DATABASE_URL into an empty PostgreSQL database. Stop the service first.')
    .option('--to <url>', 'postgres://USER@HOST:PORT/DATABASE without tables')
    .option('--to-file <file>', 'a file that contains such a URL; one with a password is accepted only from a file')
    .action((flags: Flags) => copy(flags, host));
  return runCommand(command, args, host);
}

async function copy(flags: Flags, { environment, folder, clock, output }: CommandHost): Promise<void> {
  const setting = settingOf(flags, folder);
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
  const next = Object.entries(setting).map(([name, value]) => `${name}=${value}`);
  output.write(`The target now contains the same; this took ${seconds.toFixed(1)} s.\n`);
  output.write(`Next: ${next}, start the service, then tpws doctor.\n`);
}

function settingOf({ to, toFile }: Flags, folder: string): Readonly<Record<string, string>> {
  if (to === undefined && toFile !== undefined) return { DATABASE_URL_FILE: resolve(folder, toFile) };
  if (to === undefined || toFile !== undefined) throw new UsageError('Expected either --to or --to-file.');
  if (hasPassword(to)) {
    throw new UsageError(
      'Others on this machine can see command lines, and this URL has a password; expected it in a file, named by --to-file.',
    );
  }
  return { DATABASE_URL: to };
}

function hasPassword(text: string): boolean {
  if (!URL.canParse(text)) return text.includes('@');
  const { password, searchParams } = new URL(text);
  return password !== '' || searchParams.has('password');
}
