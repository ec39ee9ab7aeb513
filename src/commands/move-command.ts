import { resolve } from 'node:path';
import { readConfig } from '../settings/config.ts';
import { type MoveReport, moveDatabase } from '../store/move/move-database.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import { type CommandHost, newCommand, runCommand, UsageError } from './command-host.ts';
import { progressBar } from './progress-bar.ts';

/** The target, given by one of the two. */
interface Flags {
  readonly to?: string;
  readonly toFile?: string;
}

/** `move --to URL` or `move --to-file FILE`: copies the whole database into another one, SQLite or PostgreSQL. Resolves with the exit code. */
export function moveCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('move', host)
    .description('Copies everything in the database of DATABASE_URL into an empty one. Stop the service first.')
    .option('--to <url>', 'postgres://USER@HOST:PORT/DATABASE without tables, or sqlite: and a new file')
    .option('--to-file <file>', 'a file that contains such a URL; one with a password is accepted only from a file')
    .action((flags: Flags) => move(flags, host));
  return runCommand(command, args, host);
}

async function move(
  flags: Flags,
  { environment, folder, clock, output, errors, beforeEnd }: CommandHost,
): Promise<void> {
  const setting = settingOf(flags, folder);
  const from = readConfig(environment).database;
  const { DATABASE_URL_FILE: _, DATABASE_URL: __, ...others } = environment;
  const target = readConfig({ ...others, ...setting }).database;
  const bar = progressBar(errors, clock);
  const began = clock();
  let report: MoveReport;
  try {
    report = await moveDatabase(from, target, bar.part('Moving'), beforeEnd);
  } finally {
    bar.clear();
  }
  const seconds = (clock() - began) / 1000;
  for (const { name, rows, checksum } of report.tables) {
    output.write(`${name}: ${rows} ${rows === 1 ? 'row' : 'rows'}, checksum ${checksum}\n`);
  }
  output.write(`${report.target} now contains the same as ${report.source}; this took ${seconds.toFixed(1)} s.\n`);
  if (report.isBehind) {
    throw new SetUpError(
      'But the source is in use, and anything written to it meanwhile is not in the target. Stop the service, empty the target and move again.',
    );
  }
  const next = Object.entries(setting).map(([name, value]) => `${name}=${value}`);
  output.write(`Next: ${next}, start the service, then tpws doctor.\n`);
}

/** The setting that names the target. */
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
