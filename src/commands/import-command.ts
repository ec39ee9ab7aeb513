import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { readImportFiles, StagedRecords } from '../reference-data/import-files.ts';
import { readReferenceRows } from '../reference-data/imported-rows.ts';
import type { ImportOptions } from '../reference-data/plan-import.ts';
import { ImportRefused } from '../reference-data/problem.ts';
import { changedRows, importSummary } from '../reference-data/report-import.ts';
import { importName, runImport } from '../reference-data/run-import.ts';
import { TABLE_NAMES, titlesOf } from '../reference-data/tables.ts';
import { unfitTexts } from '../reference-data/unfit-appointments.ts';
import { type CommandHost, type DefineCommand, withStore } from './command-host.ts';

type Flags = Omit<ImportOptions, 'timeZone' | 'now'>;

/** `import FILE…`: imports reference data into the service's database. */
export const importCommand: DefineCommand = (command, host) =>
  command
    .description(
      'Imports centers, doctors, opening hours, leave, message templates, appointments and feedback from CSV files.',
    )
    .argument('<files...>', `named ${TABLE_NAMES.map((name) => `${name}.csv`).join(', ')}, or with their columns`)
    .option('--dry-run', 'only report what would change')
    .option('--deactivate', 'deactivate the doctors who are missing from a file that names their center')
    .option('--allow-overlaps', 'also import appointments that overlap others, and mark them')
    .option('--replace-demo', 'remove the demo data first')
    .addHelpText(
      'after',
      `\nColumns:\n${TABLE_NAMES.map((name) => `  ${name}: ${titlesOf(name).join(', ')}`).join('\n')}`,
    )
    .action((files: readonly string[], flags: Flags) => importFiles(files, flags, host));

function importFiles(names: readonly string[], flags: Flags, host: CommandHost): Promise<void> {
  const { dryRun = false } = flags;
  return withStore(host, { mustExist: dryRun, isLong: true }, async (store, config) => {
    const found = names.map((name) => ({ name, chunks: chunksOf(name, resolve(host.folder, name)) }));
    const records = new StagedRecords();
    try {
      const now = host.clock();
      const { centers } = await store.read(readReferenceRows);
      const regions = new Map(centers.map((center) => [center.id, center.phoneRegion]));
      const phoneRegion = (centerId: number) => regions.get(centerId) ?? config.hospital.phoneRegion;
      const files = await readImportFiles(found, records, { now, phoneRegion });
      const options = { ...flags, timeZone: config.hospital.timeZone, now };
      const outcome = await runImport(store, files, options);
      const { plan, unfit, appointments, feedback } = outcome;
      const isRecorded = !dryRun && appointments.added + feedback.added > 0;
      const lines = [
        ...(dryRun ? changedRows(plan) : []),
        ...importSummary(outcome),
        ...unfitTexts(unfit),
        ...files.empty.map((name) => `${name} has no rows: nothing was imported from it.`),
        ...(isRecorded ? [`The audit trail records this as ${importName(files.digest)}.`] : []),
        ...(dryRun ? ['Dry run: nothing was written.'] : []),
      ];
      host.output.write(`${lines.join('\n')}\n`);
    } finally {
      records.close();
    }
  });
}

async function* chunksOf(name: string, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw new ImportRefused([{ file: name, message: `cannot be read (${(error as Error).message})` }]);
  }
}
