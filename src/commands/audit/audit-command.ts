import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { csvLine } from '../../reference/write-csv.ts';
import type { AuditEvent, AuditFilter } from '../../store/queries/audit-queries.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { quantity } from '../../vocabulary/text.ts';
import { instantsOfDay } from '../../vocabulary/time-zone.ts';
import type { CommandHost, DefineCommand } from '../command-host.ts';
import { SETTLED_MS, UsageError, wholeNumber, withStore } from '../command-host.ts';
import { writePrivateFile } from '../copies/part-file.ts';
import { RECORDS, subjectsNamed } from '../patient/patient-records.ts';
import { AUDIT_TITLES, auditRow } from '../readable-rows.ts';

interface Flags
  extends Readonly<
    Partial<Record<'since' | 'until' | 'day' | 'operation' | 'client' | 'correlation' | 'out' | 'new', string>>
  > {
  readonly appointment?: number;
  readonly center?: number;
  readonly doctor?: number;
  readonly patient?: readonly string[];
  readonly format: keyof typeof FORMATS;
}

/** The line of a row, with its line end. */
const FORMATS = {
  csv: (event: AuditEvent) => {
    const row = auditRow(event);
    return csvLine(AUDIT_TITLES.map((title) => `${row[title] ?? ''}`));
  },
  ndjson: (event: AuditEvent) => `${JSON.stringify(auditRow(event))}\n`,
} as const;

export const auditCommand: DefineCommand = (command, host) =>
  command
    .description('Exports who did what, when, to which appointment, and with what outcome.')
    .option('--since <day>', 'first day, such as 2026-11-20, in TIME_ZONE')
    .option('--until <day>', 'last day')
    .option('--appointment <id>', 'one appointment', wholeNumber())
    .option('--center <id>', 'one center', wholeNumber())
    .option('--doctor <id>', 'one doctor', wholeNumber())
    .option('--day <day>', 'lists of this day of a doctor')
    .option('--operation <name>', 'one operation')
    .option('--patient <records...>', `all that was done with these records, and who saw them; ${RECORDS}`)
    .option('--client <name>', 'one client')
    .option('--correlation <id>', 'one call, by the X-Correlation-Id of its answer')
    .addOption(new Option('--format <name>', 'one line per row').choices(Object.keys(FORMATS)).default('csv'))
    .option('--new <file>', 'only rows added since the last run with this file, which records how far that run got')
    .option('--out <file>', 'the file to write; standard output if none is named')
    .action((flags: Flags) => exportAudit(flags, host));

function exportAudit({ out, format, new: placeFile, ...flags }: Flags, host: CommandHost): Promise<void> {
  return withStore(host, {}, async (store, { hospital: { timeZone } }) => {
    const filter: AuditFilter = {
      since: dayOption('--since', flags.since, timeZone)?.[0],
      until: dayOption('--until', flags.until, timeZone)?.[1],
      appointmentId: flags.appointment,
      centerId: flags.center,
      doctorId: flags.doctor,
      day: flags.day === undefined ? undefined : dayOption('--day', flags.day, timeZone) && flags.day,
      operation: flags.operation,
      client: flags.client,
      correlationId: flags.correlation,
    };
    if (placeFile !== undefined && Object.keys(flags).length > 0) {
      throw new UsageError('--new: expected no other option that selects rows.');
    }
    const records = flags.patient && subjectsNamed(flags.patient);
    const path = placeFile === undefined ? undefined : resolve(host.folder, placeFile);
    const before = path === undefined ? undefined : await readPlace(path);
    // A recent row might still be preceded by a row that does not exist yet, and that no later copy would look for.
    const settled = store.clock() - SETTLED_MS;
    let last: AuditEvent | undefined;
    let count = 0;
    const pages = async function* () {
      if (before === undefined && format === 'csv') yield csvLine(AUDIT_TITLES);
      const next = (): Promise<readonly AuditEvent[]> =>
        store.read(({ audit }) => {
          if (records) return audit.ofRecords(records, filter);
          return path === undefined
            ? audit.page(filter, last)
            : audit.settled({ after: last?.id ?? before ?? 0, before: settled });
        });
      for (let page = await next(); page.length > 0; page = records ? [] : await next()) {
        count += page.length;
        last = page.at(-1);
        yield page.map(FORMATS[format]).join('');
      }
    };
    const file = out === undefined ? undefined : resolve(host.folder, out);
    if (file !== undefined) await writePrivateFile(file, pages(), host);
    else for await (const text of pages()) host.output.write(text);
    // Afterwards: a run that is interrupted repeats rows instead of omitting them.
    if (path !== undefined && last !== undefined) await writePrivateFile(path, [`${last.id}\n`], host);
    if (file !== undefined) host.output.write(`${file}: ${quantity(count, 'row')}\n`);
  });
}

/**
 * The id of the last row that was copied; undefined if there is no such file: nothing has been copied yet. Earlier versions wrote its time in
 * front of it. Throws ServiceError `InvalidValue` if the file contains anything else.
 */
async function readPlace(file: string): Promise<number | undefined> {
  if (!existsSync(file)) return undefined;
  const [, id] = /^(?:\d{1,15} )?(\d{1,15})\n$/.exec(await readFile(file, 'utf8')) ?? [];
  if (id !== undefined) return Number(id);
  const expected = 'expected a file that this command wrote, or one that does not exist';
  throw new ServiceError('InvalidValue', `--new ${file}: ${expected}.`);
}

function dayOption(option: string, day: string | undefined, timeZone: string) {
  if (day === undefined) return undefined;
  const instants = instantsOfDay(day, timeZone);
  if (instants === undefined) throw new UsageError(`${option} ${day}: expected a day such as 2026-11-20.`);
  return instants;
}
