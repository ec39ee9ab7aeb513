import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { dayHalf } from '../reference/cell-types.ts';
import { EARLIER_VERSIONS, earlierFiles } from '../reference/earlier-version.ts';
import { type AppointmentFilter, exportRows } from '../reference/export-rows.ts';
import { TABLE_NAMES } from '../reference/tables.ts';
import { csvLine } from '../reference/write-csv.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import { quantity } from '../vocabulary/text.ts';
import { formatInstant } from '../vocabulary/time-zone.ts';
import { type Reference, recordRun, referenceOption, runRow } from './audit/record-run.ts';
import {
  type CommandHost,
  type DefineCommand,
  failureText,
  pastTime,
  SETTLED_MS,
  UsageError,
  wholeNumber,
  withStore,
} from './command-host.ts';
import { writePrivateFile } from './copies/part-file.ts';

interface Flags extends Reference, AppointmentFilter {
  readonly out: string;
  readonly bom?: boolean;
  readonly plain?: boolean;
  /** Instant, ms. */
  readonly since?: number;
  readonly for?: string;
}

const CHANGING: readonly string[] = ['appointments', 'feedback'];

export const exportCommand: DefineCommand = (command, host) =>
  command
    .description('Writes reference data, appointments and feedback as CSV files.')
    .addArgument(new Argument('[what...]', 'what to export; everything, if left out').choices(TABLE_NAMES))
    .option('--out <folder>', 'folder for the files', 'data/export')
    .option('--bom', 'begin each file with a byte order mark, by which Excel recognizes UTF-8')
    .option(
      '--plain',
      'for another program instead of an import: without apostrophes against formulas, and with phone numbers as callers write them',
    )
    .option(
      '--since <time>',
      'only appointments and feedback added or changed since then; a time with Z or an offset, such as 2026-11-22T20:00:00+05:30',
      pastTime(host),
    )
    .addOption(
      new Option('--for <version>', 'for the import of an earlier version, with what it does not read').choices(
        EARLIER_VERSIONS,
      ),
    )
    .option('--from <day>', 'only appointments on or after this day, such as 2026-12-01', readDay)
    .option('--to <day>', 'only appointments on or before this day', readDay)
    .option('--doctor <id>', 'only appointments of this doctor', wholeNumber(1))
    .option('--center <id>', 'only appointments of this center', wholeNumber(1))
    .addOption(referenceOption())
    .action((what: readonly string[], flags: Flags) => exportFiles(what, flags, host));

function readDay(text: string): number {
  const read = dayHalf.read(text);
  if (read === undefined) throw new InvalidArgumentError(`Expected ${dayHalf.expected}.`);
  return read;
}

function exportFiles(what: readonly string[], flags: Flags, host: CommandHost): Promise<void> {
  const folder = resolve(host.folder, flags.out);
  const { bom = false, plain = false, since, for: version, from, to, doctor, center } = flags;
  const isFiltered = [from, to, doctor, center].some((value) => value !== undefined);
  const names = what.length > 0 ? what : isFiltered ? ['appointments'] : TABLE_NAMES;
  if (isFiltered && names.join() !== 'appointments') {
    throw new UsageError('--from, --to, --doctor and --center choose appointments; expected to export these alone.');
  }
  if (version !== undefined && (plain || isFiltered || since !== undefined || what.length > 0)) {
    throw new UsageError('--for writes everything; expected no other choice beside it.');
  }
  return withStore(host, {}, async (store, { hospital, database }) => {
    const phoneRegion = plain ? hospital.phoneRegion : undefined;
    const options = { timeZone: hospital.timeZone, since, phoneRegion, from, to, doctor, center };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const began = store.clock();
    const row = runRow(store, 'export', 'Export', host, flags, { moveName: `Export of ${names.join(', ')}` });
    // The file of a database on a read-only disk, which alone is a SetUpError, could be copied as well.
    await recordRun(store, row).catch((error: unknown) => {
      if (!(error instanceof SetUpError)) throw error;
      host.errors.write(
        `This export could not be recorded in the database, so the audit trail does not show it: ${failureText(error)}\n`,
      );
    });
    const files = version === undefined ? exportRows(store, names, options) : earlierFiles(store, hospital.timeZone);
    for (const { name, titles, rows } of await files) {
      const path = join(folder, `${name}.csv`);
      let count = 0;
      const lines = async function* () {
        yield (bom ? '\ufeff' : '') + csvLine(titles, plain);
        for await (const cells of rows) {
          yield csvLine(cells, plain);
          host.progress(path, ++count);
        }
      };
      await writePrivateFile(path, lines(), host);
      host.output.write(`${path}: ${quantity(count, 'row')}\n`);
    }
    if (version !== undefined) {
      const { auditRows, waiting, messages, keys } = await store.read(({ exports }) => exports.neverExported());
      host.output.write(
        `In no file, so not in version ${version}: ${quantity(auditRows, 'row')} of the audit trail, ${quantity(waiting, 'text message that waits', 'text messages that wait')}, ${quantity(messages, 'other one', 'other ones')}, and ${quantity(keys, 'Idempotency-Key')}.\n`,
      );
      return;
    }
    if (names.some((name) => CHANGING.includes(name))) {
      // A call that was waiting for the database has an earlier time in its row, which this export may not have found.
      const settled = began - SETTLED_MS - database.timeoutMs;
      host.output.write(`What is added or changed from now on: --since ${formatInstant(settled)}\n`);
    }
  });
}
