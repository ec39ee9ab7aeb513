import { basename, resolve } from 'node:path';
import { ERASURE } from '../../store/queries/audit-queries.ts';
import type { Queries, Store } from '../../store/store.ts';
import { quantity, visibleJson } from '../../vocabulary/text.ts';
import { formatInstant } from '../../vocabulary/time-zone.ts';
import { type Reference, recordShown, referenceOption, runRow } from '../audit/record-run.ts';
import { type CommandHost, type DefineCommand, withStore } from '../command-host.ts';
import { writePrivateFile } from '../copies/part-file.ts';
import { auditRow, readableRow } from '../readable-rows.ts';
import { type Json, jsonOption, reportTo } from '../report.ts';
import {
  CORRECTION,
  correctionLines,
  correctionsOf,
  correctRecords,
  type DetailFlags,
  detailOptions,
  otherLines,
  othersOf,
  requireApart,
} from './correct-records.ts';
import { comparedWith, findRecords, findUnclear, readSearch, type SearchFlags, searchOf } from './find-records.ts';
import { PAGE_TEXTS, patientPage, readTexts } from './patient-page.ts';
import {
  type AboutRecords,
  aboutRecords,
  eraseRecords,
  type PatientRecords,
  RECORDS,
  recordLines,
  recordRows,
  recordsNamed,
  requireOver,
  subjectsOf,
} from './patient-records.ts';

interface EraseFlags extends Reference {
  readonly alsoComing?: boolean;
  readonly yes?: boolean;
}

interface CorrectFlags extends DetailFlags, Reference {
  readonly samePatient?: boolean;
  readonly yes?: boolean;
}

interface ExportFlags extends Reference {
  readonly out?: string;
  readonly language: string;
  readonly texts?: string;
}

/** `patient find|export|correct|erase`: what is stored about one patient. */
export const patientCommand: DefineCommand = (command, host) => {
  command.description('Finds, exports, corrects or erases what is stored about one patient.');
  command
    .command('find')
    .description('lists every record with any of these values, and what tells the patients apart')
    .option('--registration <number>', 'a RegistrationNumber, in any spelling; once for each', listOf, [])
    .option('--phone <number>', 'a phone, however it is written, or its last digits; once for each', listOf, [])
    .option('--name <name>', 'parts of a name, in any order; once for each name', listOf, [])
    .option('--ipno <number>', 'an inpatient number of feedback; once for each', listOf, [])
    .addOption(referenceOption())
    .addOption(jsonOption())
    .action((flags: SearchFlags & Reference & Json) => find(flags, host));
  command
    .command('export')
    .description('writes everything that is stored about these records, as JSON and as a page for the patient')
    .argument('<records...>', RECORDS)
    .option(
      '--out <file>',
      'the file to write, which only you can read, with a page for the patient beside it; standard output if none is named',
    )
    .option('--language <code>', 'the language of the page: en, hi or one in --texts', 'en')
    .option(
      '--texts <file>',
      'the texts of the page in your languages: a changed copy of src/commands/patient/page-texts.json',
    )
    .addOption(referenceOption())
    .action((records: readonly string[], flags: ExportFlags) => exportRecords(records, flags, host));
  const correction = command
    .command('correct')
    .description("corrects the patient's details in these appointments; without --yes, only says what it would do")
    .argument('<appointments...>', 'as patient find lists them, such as appointment:1/12; past ones, too')
    .option('--same-patient', 'also if the patient is then that of other appointments')
    .option('--yes', 'correct')
    .addOption(referenceOption())
    .action((names: readonly string[], flags: CorrectFlags) => correct(names, flags, host));
  for (const option of detailOptions()) correction.addOption(option);
  command
    .command('erase')
    .description('removes what identifies the patient from these records; without --yes, only says what it would do')
    .argument('<records...>', RECORDS)
    .option('--also-coming', 'also erase future appointments; they keep their slots, without a name')
    .option('--yes', 'erase; this cannot be undone')
    .addOption(referenceOption())
    .action((records: readonly string[], flags: EraseFlags) => erase(records, flags, host));
};

const listOf = (text: string, before: readonly string[]): readonly string[] => [...before, text];

const write = (output: CommandHost['output'], lines: readonly string[]): unknown =>
  output.write(`${lines.join('\n')}\n`);

/** Records that the operator saw these records. */
const recordSeen = (
  store: Store,
  operation: string,
  records: readonly PatientRecords[],
  host: CommandHost,
  flags: Reference,
) => recordShown(store, runRow(store, 'patient', operation, host, flags), records.flatMap(subjectsOf));

function find({ reference, json, ...flags }: SearchFlags & Reference & Json, host: CommandHost): Promise<void> {
  return withStore(host, { isLong: true }, async (store, config) => {
    const search = await store.read((queries) => readSearch(queries, flags, config));
    const records = await store.read((queries) => findRecords(queries, search));
    const unclear = await store.read((queries) => findUnclear(queries, search, records));
    await recordSeen(store, 'FindPatient', [records, unclear.records], host, { reference });
    const lines = [...recordLines(records), ...unclear.lines];
    reportTo(host, { json })(lines.length === 0 ? comparedWith(search) : lines.join('\n'), [
      ...recordRows(records),
      ...recordRows(unclear.records).map((row) => ({ ...row, unclear: true })),
    ]);
  });
}

function exportRecords(names: readonly string[], flags: ExportFlags, host: CommandHost): Promise<void> {
  const { out, language, texts: file } = flags;
  return withStore(host, { isLong: true }, async (store, config) => {
    const texts = readTexts(file === undefined ? PAGE_TEXTS : resolve(host.folder, file), language);
    const records = await store.read((queries) => recordsNamed(queries, names));
    const about = await store.read((queries) => aboutRecords(queries, records));
    await recordSeen(store, 'ExportPatient', [records], host, flags);
    const now = store.clock();
    const json = patientJson(records, about, now);
    if (out === undefined) {
      host.output.write(json);
      return;
    }
    const path = resolve(host.folder, out);
    const page = { texts, config, now, file: basename(path) };
    const html = await store.read((queries) => patientPage(queries, records, about, page));
    const pagePath = `${path.replace(/\.json$/i, '')}.html`;
    await writePrivateFile(path, [json], host);
    await writePrivateFile(pagePath, [html], host);
    write(host.output, [path, pagePath, ...recordLines(records)]);
  });
}

/** The data as JSON text. It contains every column of every row by its name, so that a new column is never omitted. `now`: ms. */
function patientJson(
  { appointments, feedback, messages }: PatientRecords,
  { answers, audit }: AboutRecords,
  now: number,
): string {
  const document = {
    exported_on: formatInstant(now),
    appointments: appointments.map(readableRow),
    feedback: feedback.map(readableRow),
    messages: messages.map(readableRow),
    kept_answers: answers.map((row) => ({ ...readableRow(row), answer: JSON.parse(row.answer ?? 'null') })),
    audit_events: audit.map(auditRow),
  };
  return `${visibleJson(JSON.stringify(document, undefined, 2))}\n`;
}

function erase(names: readonly string[], { alsoComing, yes, ...flags }: EraseFlags, host: CommandHost): Promise<void> {
  return withStore(host, { isLong: true }, async (store, config) => {
    const now = store.clock();
    const check = async (queries: Queries) => {
      const records = await recordsNamed(queries, names);
      if (alsoComing !== true) await requireOver(queries, records, now);
      return { records, ...(await aboutRecords(queries, records)) };
    };
    const { records, answers, unclear } = await store.read(async (queries) => {
      const checked = await check(queries);
      const search = await searchOf(queries, checked.records, config);
      return { ...checked, unclear: await findUnclear(queries, search, checked.records) };
    });
    if (yes !== true) {
      await recordSeen(store, 'FindPatient', [records, unclear.records], host, flags);
      write(host.output, [
        ...recordLines(records),
        ...unclear.lines,
        `With --yes, this erases the names, numbers and texts of these records and of ${quantity(answers.length, 'kept answer')}, and cancels messages that are still waiting. Nothing was changed.`,
      ]);
      return;
    }
    if (unclear.lines.length > 0) await recordSeen(store, 'FindPatient', [unclear.records], host, flags);
    const row = runRow(store, 'patient', ERASURE, host, flags, { action: 'U', recordedOn: now });
    // Checked again: another process may have changed them.
    const cancelled = await store.write(async (queries) => {
      const { records, answers } = await check(queries);
      return eraseRecords(queries, records, answers, row);
    });
    await store.purge();
    write(host.output, [
      ...recordLines(records),
      ...unclear.lines,
      `In the audit trail, the rows of this erasure have the CorrelationId ${row.correlationId}.`,
      `Erased; ${quantity(cancelled, 'message was', 'messages were')} cancelled. Backups, exports and files of messages still contain the data; see docs/operators/privacy.md.`,
    ]);
  });
}

function correct(
  names: readonly string[],
  { samePatient, yes, ...flags }: CorrectFlags,
  host: CommandHost,
): Promise<void> {
  return withStore(host, { isLong: true }, async (store, config) => {
    const check = async (queries: Queries) => {
      const records = await recordsNamed(queries, names);
      const corrections = await correctionsOf(queries, records, flags, config);
      const others = await othersOf(queries, corrections);
      if (samePatient !== true) requireApart(others);
      return { records, corrections, others };
    };
    const found = await store.read(check);
    const { joined, left } = found.others;
    const shown = { ...found.records, appointments: [...found.records.appointments, ...joined, ...left] };
    await recordSeen(store, 'FindPatient', [shown], host, flags);
    const row = runRow(store, 'patient', CORRECTION, host, flags, { action: 'U' });
    const { corrections, others } =
      yes === true
        ? await store.write(async (queries) => {
            const checked = await check(queries);
            await correctRecords(queries, checked.corrections, row);
            return checked;
          })
        : found;
    const last =
      yes === true
        ? `Corrected. In the audit trail, the rows have the CorrelationId ${row.correlationId}.`
        : 'With --yes, this is corrected. Nothing was changed.';
    write(host.output, [
      ...correctionLines(corrections),
      ...otherLines(others),
      corrections.length === 0 ? 'Nothing differs from what is stored.' : last,
    ]);
  });
}
