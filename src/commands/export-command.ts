import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Argument, Option } from 'commander';
import { EXPORTS, type ExportedFile, exportRows } from '../reference-data/export-rows.ts';
import { type CommandHost, newCommand, runCommand, withStore } from './command-host.ts';
import { type CsvStyle, csvLine } from './csv-line.ts';
import { writePrivateFile } from './write-private-file.ts';

interface Flags {
  readonly out: string;
  readonly delimiter: keyof typeof DELIMITERS;
  readonly bom?: boolean;
}

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const;

/** `export [what…]`: writes what the service's database holds as CSV files. Resolves with the exit code. */
export function exportCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('export', host)
    .description('Writes reference data, appointments and feedback as CSV files.')
    .addArgument(new Argument('[what...]', 'all, if none is named').choices(EXPORTS))
    .option('--out <folder>', 'where the files go', 'data/export')
    .option('--bom', 'begin the files with a byte order mark, by which Excel knows UTF-8')
    .addOption(new Option('--delimiter <name>', 'between cells').choices(Object.keys(DELIMITERS)).default('comma'))
    .action((what: readonly string[], flags: Flags) => exportFiles(what, flags, host));
  return runCommand(command, args, host);
}

function exportFiles(what: readonly string[], flags: Flags, host: CommandHost): Promise<void> {
  const folder = resolve(host.folder, flags.out);
  const style = { delimiter: DELIMITERS[flags.delimiter], byteOrderMark: flags.bom === true };
  return withStore(host, { mustExist: true }, async (store, { timeZone }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const file of await exportRows(store, what.length === 0 ? EXPORTS : what, timeZone)) {
      const path = join(folder, `${file.name}.csv`);
      const count = await writeFile(path, file, style);
      host.output.write(`${path}: ${count} ${count === 1 ? 'row' : 'rows'}\n`);
    }
  });
}

/** Gives how many rows were written. */
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
