import { readConfig } from '../settings/config.ts';
import { type MoveReport, moveDatabase } from '../store/move/move-database.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import { type CommandHost, newCommand, runCommand } from './command-host.ts';
import { progressBar } from './progress-bar.ts';

/** `move --to URL`: copies the whole database into another one, SQLite or PostgreSQL. Resolves with the exit code. */
export function moveCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('move', host)
    .description('Copies everything in the database of DATABASE_URL into an empty one. The service should be stopped.')
    .requiredOption(
      '--to <url>',
      'postgres://USER:PASSWORD@HOST:PORT/DATABASE without tables, or sqlite: and a new file',
    )
    .action(({ to }: { readonly to: string }) => move(to, host));
  return runCommand(command, args, host);
}

async function move(to: string, { environment, clock, output, errors }: CommandHost): Promise<void> {
  const from = readConfig(environment).database;
  const { DATABASE_URL_FILE: _, ...others } = environment;
  const target = readConfig({ ...others, DATABASE_URL: to }).database;
  const bar = progressBar(errors, clock);
  const began = clock();
  let report: MoveReport;
  try {
    report = await moveDatabase(from, target, bar.part('Moving'));
  } finally {
    bar.clear();
  }
  const seconds = (clock() - began) / 1000;
  for (const { name, rows, checksum } of report.tables) {
    output.write(`${name}: ${rows} ${rows === 1 ? 'row' : 'rows'}, checksum ${checksum}\n`);
  }
  output.write(`${report.source} is the same as ${report.target}, which took ${seconds.toFixed(1)} s.\n`);
  if (report.isBehind) {
    throw new SetUpError(
      'But the source is in use, and what was written to it meanwhile is not in the target. Stop the service, empty the target and move again.',
    );
  }
  output.write(`Next: DATABASE_URL=${withoutPassword(to)}, start the service, then npm run doctor.\n`);
}

const withoutPassword = (url: string): string => url.replace(/^(\w+:\/\/[^/@]*?):[^/@]*@/, '$1:…@');
