import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { EXPORTS, type ExportedFile, exportRows } from '../reference-data/export-rows.ts';
import { type CommandHost, newCommand, runCommand, withStore } from './command-host.ts';
import { type CsvStyle, csvLine } from './csv-line.ts';
import { writePrivateFile } from './write-private-file.ts';

interface Flags {
  readonly out: string;
  readonly delimiter: keyof typeof DELIMITERS;
  readonly bom?: boolean;
  readonly since?: string;
}

/** Columns that say when a row was last changed, as wall time that begins with the day. */
const CHANGED_ON: readonly string[] = ['UpdatedOn', 'ReceivedOn'];

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const;

/** `export [what…]`: writes the contents of the service's database as CSV files. Resolves with the exit code. */
export function exportCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('export', host)
    .description('Writes reference data, appointments and feedback as CSV files.')
    .addArgument(new Argument('[what...]', 'all, if none is named').choices(EXPORTS))
    .option('--out <folder>', 'where the files go', 'data/export')
    .option('--bom', 'begin the files with a byte order mark, by which Excel knows UTF-8')
    .addOption(new Option('--delimiter <name>', 'between cells').choices(Object.keys(DELIMITERS)).default('comma'))
    .option(
      '--since <time>',
      'of appointments and feedback only what came or was changed since then, such as 2026-11-22T20:00 on the clock of each center',
      wallTime,
    )
    .action((what: readonly string[], flags: Flags) => exportFiles(what, flags, host));
  return runCommand(command, args, host);
}

function wallTime(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/.test(text)) {
    throw new InvalidArgumentError('Expected a day, or a day and a time such as 2026-11-22T20:00.');
  }
  return text;
}

/** Without the rows that were changed before; a file without such a column stays whole. */
function changedSince(file: ExportedFile, since: string | undefined): ExportedFile {
  const column = file.titles.findIndex((title) => CHANGED_ON.includes(title));
  if (since === undefined || column === -1) return file;
  const { rows } = file;
  const later = async function* () {
    // Times of this form have the same order as their texts.
    for await (const cells of rows) if ((cells[column] ?? '') >= since) yield cells;
  };
  return { ...file, rows: later() };
}

function exportFiles(what: readonly string[], flags: Flags, host: CommandHost): Promise<void> {
  const folder = resolve(host.folder, flags.out);
  const style = { delimiter: DELIMITERS[flags.delimiter], byteOrderMark: flags.bom === true };
  return withStore(host, { mustExist: true }, async (store, { timeZone }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const file of await exportRows(store, what.length === 0 ? EXPORTS : what, timeZone)) {
      const path = join(folder, `${file.name}.csv`);
      const count = await writeFile(path, changedSince(file, flags.since), style);
      host.output.write(`${path}: ${count} ${count === 1 ? 'row' : 'rows'}\n`);
    }
  });
}

/** Returns how many rows were written. */
async function writeFile(path: string, { titles, rows }: ExportedFile, style: CsvStyle): Promise<number> {
  let count = 0;
  const lines = async function* () {
    yield (style.byteOrderMark ? '\ufeff' : '') + csvLine(titles, style);
    for await (const cells of rows) {
      yield csvLine(cells, style);
      count++;
    }
  };
  await writePrivateFile(path, lines());
  return count;
}
