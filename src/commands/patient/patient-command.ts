import { resolve } from 'node:path';
import { writePrivateFile } from '../../maintenance/part-file.ts';
import type { Queries } from '../../store/store.ts';
import { quantity } from '../../vocabulary/text.ts';
import { type CommandHost, newCommand, runCommand, withStore } from '../command-host.ts';
import { eraseRecords, requireOver } from './erase-records.ts';
import { findRecords, readSearch, type SearchFlags, valuesNotSearched } from './find-records.ts';
import { patientJson } from './patient-json.ts';
import { aboutRecords, recordLines, recordsNamed } from './patient-records.ts';

interface PatientHost extends CommandHost {
  readonly newCorrelationId: () => string;
}

interface EraseFlags {
  readonly alsoComing?: boolean;
  readonly yes?: boolean;
}

const RECORDS = 'as find lists them: appointment:1/12 (center 1, AppointmentID 12), feedback:7, message:5';

/** `patient find|export|erase`: what is stored about one patient. Resolves with the exit code. */
export function patientCommand(args: readonly string[], host: PatientHost): Promise<number> {
  const command = newCommand('patient', host).description('Finds, exports or erases what is stored about one patient.');
  command
    .command('find')
    .description('lists every record with any of these values, and what tells the patients apart')
    .option('--registration <number>', 'a RegistrationNumber; once for each', listOf, [])
    .option('--phone <number>', 'a phone, however it is written; once for each', listOf, [])
    .option('--name <name>', 'a name; once for each spelling', listOf, [])
    .option('--ipno <number>', 'an inpatient number of feedback; once for each', listOf, [])
    .action((flags: SearchFlags) => find(flags, host));
  command
    .command('export')
    .description('writes everything that is stored about these records, as JSON')
    .argument('<records...>', RECORDS)
    .option('--out <file>', 'the file to write, which only you can read; standard output if none is named')
    .action((records: readonly string[], { out }: { readonly out?: string }) => exportRecords(records, out, host));
  command
    .command('erase')
    .description('removes what identifies the patient from these records; without --yes, only says what it would do')
    .argument('<records...>', RECORDS)
    .option('--also-coming', 'also erase future appointments; they keep their slots, without a name')
    .option('--yes', 'erase; this cannot be undone')
    .action((records: readonly string[], flags: EraseFlags) => erase(records, flags, host));
  return runCommand(command, args, host);
}

const listOf = (text: string, before: readonly string[]): readonly string[] => [...before, text];

/** Reads and locks may take long: nobody waits for a command. */
const OF_SERVICE = { mustExist: true, isLong: true } as const;

const write = (output: CommandHost['output'], lines: readonly string[]): unknown =>
  output.write(`${lines.join('\n')}\n`);

function find(flags: SearchFlags, host: PatientHost): Promise<void> {
  return withStore(host, OF_SERVICE, async (store, config) => {
    const search = readSearch(flags, config);
    const records = await store.read((queries) => findRecords(queries, search));
    const lines = [...recordLines(records), ...valuesNotSearched(records, search)];
    write(host.output, lines.length === 0 ? ['Nothing is stored with these values.'] : lines);
  });
}

function exportRecords(names: readonly string[], out: string | undefined, host: PatientHost): Promise<void> {
  return withStore(host, OF_SERVICE, async (store) => {
    const records = await store.read((queries) => recordsNamed(queries, names));
    const about = await store.read((queries) => aboutRecords(queries, records));
    const json = patientJson(records, about, host.clock());
    if (out === undefined) {
      host.output.write(json);
      return;
    }
    const path = resolve(host.folder, out);
    await writePrivateFile(path, [json], host);
    write(host.output, [path, ...recordLines(records)]);
  });
}

function erase(names: readonly string[], { alsoComing, yes }: EraseFlags, host: PatientHost): Promise<void> {
  return withStore(host, OF_SERVICE, async (store) => {
    const now = host.clock();
    const check = async (queries: Queries) => {
      const records = await recordsNamed(queries, names);
      if (alsoComing !== true) await requireOver(queries, records, now);
      return { records, ...(await aboutRecords(queries, records)) };
    };
    if (yes !== true) {
      const { records, answers } = await store.read(check);
      write(host.output, [
        ...recordLines(records),
        `With --yes, this erases the names, numbers and texts of these records and of ${quantity(answers.length, 'kept answer')}, and cancels messages that are still waiting. Nothing was changed.`,
      ]);
      return;
    }
    const correlationId = host.newCorrelationId();
    const { records, cancelled } = await store.write(async (queries) => {
      const { records, answers } = await check(queries);
      return { records, cancelled: await eraseRecords(queries, records, answers, { now, correlationId }) };
    });
    await store.purge();
    write(host.output, [
      ...recordLines(records),
      `Erased; ${quantity(cancelled, 'message was', 'messages were')} cancelled. Backups, exports and files of messages still contain the data; see docs/privacy.md.`,
    ]);
  });
}
