import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { readImportFiles, StagedRecords } from '../reference/import-files.ts';
import type { ImportOptions } from '../reference/import-records.ts';
import { readReferenceRows } from '../reference/imported-rows.ts';
import { ImportRefused, Problems, problemTexts } from '../reference/problem.ts';
import { changedRows, importName, importSummary, runImport } from '../reference/run-import.ts';
import { TABLE_NAMES, titlesOf } from '../reference/tables.ts';
import { unfitTexts } from '../reference/unfit-appointments.ts';
import { csvLine } from '../reference/write-csv.ts';
import { type CommandHost, type DefineCommand, withStore } from './command-host.ts';
import { writePrivateFile } from './copies/part-file.ts';

interface Flags extends Omit<ImportOptions, 'timeZone' | 'now'> {
  readonly errors?: string;
  readonly dateOrder?: 'dmy' | 'mdy';
}

export const importCommand: DefineCommand = (command, host) =>
  command
    .description(
      'Imports centers, doctors, opening hours, leave, message templates, appointments and feedback from CSV files.',
    )
    .argument('<files...>', `named ${TABLE_NAMES.map((name) => `${name}.csv`).join(', ')}, or with their columns`)
    .option('--dry-run', 'only report what would change')
    .option('--deactivate', 'deactivate the doctors who are missing from a file that names their center')
    .option('--allow-overlaps', 'also import appointments that overlap others, and mark them')
    .option(
      '--changed',
      'let appointments and feedback that were changed later replace the stored ones with their numbers',
    )
    .option('--replace-demo', 'remove the demo data first')
    .addOption(new Option('--date-order <order>', 'how dates such as 11/12/2026 are written').choices(['dmy', 'mdy']))
    .option('--errors <file>', 'also write every mistake and warning to this CSV file, a line for each, without values')
    .addHelpText(
      'after',
      `\nColumns:\n${TABLE_NAMES.map((name) => `  ${name}: ${titlesOf(name).join(', ')}`).join('\n')}`,
    )
    .action((files: readonly string[], flags: Flags) => importFiles(files, flags, host));

function importFiles(names: readonly string[], flags: Flags, host: CommandHost): Promise<void> {
  const { dryRun = false } = flags;
  return withStore(host, { mustExist: dryRun, isLong: true }, async (store, config) => {
    const found = names.map((name) => ({ name, chunks: chunksOf(name, resolve(host.folder, name), host) }));
    const records = new StagedRecords(host.progress);
    const warnings = new Problems();
    try {
      const now = store.clock();
      const { centers } = await store.read(readReferenceRows);
      const regions = new Map(centers.map((center) => [center.id, center.phoneRegion]));
      const phoneRegion = (centerId: number) => regions.get(centerId) ?? config.hospital.phoneRegion;
      const files = await readImportFiles(found, records, { now, phoneRegion, warnings, dateOrder: flags.dateOrder });
      const options = { ...flags, timeZone: config.hospital.timeZone, now };
      const imported = await runImport(store, files, options);
      const { unfit, unused, isRecorded } = imported;
      warnings.addAll(unused);
      const lines = [
        ...(dryRun ? changedRows(imported) : []),
        ...importSummary(imported),
        ...unfitTexts(unfit),
        ...problemTexts(warnings.kept),
        ...files.empty.map((name) => `${name} has no rows: nothing was imported from it.`),
        ...(isRecorded ? [`The audit trail records this as ${importName(files.digest)}.`] : []),
        ...(dryRun ? ['Dry run: nothing was written.'] : []),
      ];
      host.output.write(`${lines.join('\n')}\n`);
      await writeErrors(flags, host, warnings);
    } catch (error) {
      if (error instanceof ImportRefused) await writeErrors(flags, host, warnings, error);
      throw error;
    } finally {
      records.close();
    }
  });
}

/** For a spreadsheet, because a terminal shows few of many mistakes. A file of an earlier run would mislead. */
async function writeErrors(
  { errors }: Flags,
  host: CommandHost,
  warnings: Problems,
  refused?: ImportRefused,
): Promise<void> {
  if (errors === undefined) return;
  const { problems = [], more = 0 } = refused ?? {};
  const rows = [...problems, ...warnings.kept].map(({ file, line = '', column = '', message }) => [
    file,
    `${line}`,
    column,
    message,
  ]);
  const rest = more === 0 ? [] : [['', '', '', `and ${more} more`]];
  const lines = [['File', 'Line', 'Column', 'Mistake'], ...rows, ...rest].map((cells) => csvLine(cells));
  await writePrivateFile(resolve(host.folder, errors), lines, host);
}

async function* chunksOf(name: string, path: string, { progress }: CommandHost): AsyncGenerator<Uint8Array> {
  try {
    const { size } = await stat(path);
    // Not of a FileHandle, which must not be left to the garbage collector: an import may be refused after the first line.
    const stream = createReadStream(path);
    for await (const chunk of stream) {
      progress(`Reading ${name}`, stream.bytesRead, size);
      yield chunk;
    }
  } catch (error) {
    throw new ImportRefused([{ file: name, message: `cannot be read (${(error as Error).message})` }]);
  }
}
