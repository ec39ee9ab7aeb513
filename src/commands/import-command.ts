import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { importName } from '../reference-data/add-records.ts';
import { type GivenFile, readGivenData } from '../reference-data/given-data.ts';
import { ImportRefused, type Problem } from '../reference-data/problem.ts';
import { planRows, planSummary, withdrawnText } from '../reference-data/report-plan.ts';
import { runImport } from '../reference-data/run-import.ts';
import { TABLES, titlesOf } from '../reference-data/tables.ts';
import { type CommandHost, newCommand, runCommand, withStore } from './command-host.ts';
import { progressBar } from './progress-bar.ts';

interface Flags {
  readonly dryRun?: boolean;
  readonly replaceDemo?: boolean;
  readonly deactivate?: boolean;
  readonly allowOverlaps?: boolean;
  readonly allowRepeatedTokens?: boolean;
}

/** `import FILE…`: imports reference data into the service's database. Resolves with the exit code. */
export function importCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('import', host)
    .description(
      'Imports centers, doctors, opening hours, leave, message templates, appointments and feedback from CSV files.',
    )
    .argument('<files...>', `named ${TABLES.map(({ name }) => `${name}.csv`).join(', ')}, or with their columns`)
    .option('--dry-run', 'only report what would change')
    .option('--deactivate', 'deactivate the doctors who are missing from a file that names their center')
    .option('--allow-overlaps', 'also import appointments that overlap others, and mark them')
    .option(
      '--allow-repeated-tokens',
      'also import appointments with the same token as another one in the doctor’s day',
    )
    .option('--replace-demo', 'remove the demo data first')
    .addHelpText(
      'after',
      `\nColumns:\n${TABLES.map(({ name }) => `  ${name}: ${titlesOf(name).join(', ')}`).join('\n')}`,
    )
    .action((files: readonly string[], flags: Flags) => importFiles(files, flags, host));
  return runCommand(command, args, host);
}

function importFiles(names: readonly string[], flags: Flags, host: CommandHost): Promise<void> {
  const dryRun = flags.dryRun === true;
  return withStore(host, { mustExist: dryRun, isLong: true }, async (store, config) => {
    const bar = progressBar(host.errors, host.clock);
    try {
      const given = readGivenData(readFiles(names, host.folder), bar.part('Reading'));
      const options = {
        dryRun,
        replaceDemo: flags.replaceDemo === true,
        deactivate: flags.deactivate === true,
        allowOverlaps: flags.allowOverlaps === true,
        allowRepeatedTokens: flags.allowRepeatedTokens === true,
        timeZone: config.hospital.timeZone,
        patients: config.hospital,
        now: host.clock(),
      };
      const outcome = await runImport(store, given, options, bar.part('Writing'));
      const { plan, withdrawn, appointments, feedback } = outcome;
      bar.clear();
      const lines = [
        ...(dryRun ? planRows(plan) : []),
        ...planSummary(outcome),
        ...withdrawn.map(withdrawnText),
        ...given.empty.map((name) => `${name} has no rows: nothing was imported from it.`),
        ...given.unended.map(
          (name) => `${name} does not end with a line break: make sure that its last cell is complete.`,
        ),
        ...(dryRun || appointments.added.length + feedback.added.length === 0
          ? []
          : [`The audit trail records this as ${importName(given.digest)}.`]),
        ...(dryRun ? ['Dry run: nothing was written.'] : []),
      ];
      host.output.write(`${lines.join('\n')}\n`);
    } finally {
      bar.clear();
    }
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'is a folder; expected a file',
  EACCES: 'cannot be read: permission denied',
};

function readFiles(names: readonly string[], folder: string): GivenFile[] {
  const problems: Problem[] = [];
  const files = names.flatMap((name) => {
    try {
      return [{ name, bytes: readFileSync(resolve(folder, name)) }];
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      problems.push({ file: name, message: REASONS[code] ?? `cannot be read: ${message}` });
      return [];
    }
  });
  if (problems.length > 0) throw new ImportRefused(problems);
  return files;
}
