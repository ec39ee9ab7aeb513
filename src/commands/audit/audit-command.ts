import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { type CsvStyle, csvLine } from '../../reference-data/write-csv.ts';
import { instantsOfDay } from '../../rules/time-zone.ts';
import type { AuditEvent, AuditFilter } from '../../store/queries/audit-queries.ts';
import type { Store } from '../../store/store.ts';
import { type CommandHost, newCommand, runCommand, UsageError, withStore } from '../command-host.ts';
import { SETTLED } from '../settled.ts';
import { writePrivateFile } from '../write-private-file.ts';
import { AUDIT_TITLES, auditCells } from './audit-columns.ts';
import { type CopiedPlace, readPlace, writePlace } from './copied-place.ts';
import { fhirAuditEvent } from './fhir-audit-event.ts';

interface Flags {
  readonly since?: string;
  readonly until?: string;
  readonly appointment?: number;
  readonly center?: number;
  readonly client?: string;
  readonly format: keyof typeof FORMATS;
  readonly out?: string;
  readonly new?: string;
}

interface Format {
  readonly head: string;
  /** The line of a row, with its line end. `namespace` is that of the deployment. */
  line(event: AuditEvent, namespace: string): string;
}

const CSV: CsvStyle = { delimiter: ',', byteOrderMark: false };

const FORMATS = {
  csv: {
    head: csvLine(AUDIT_TITLES, CSV),
    line: (event) =>
      csvLine(
        auditCells(event).map((cell) => (cell === undefined ? '' : String(cell))),
        CSV,
      ),
  },
  ndjson: {
    head: '',
    line: (event) => {
      const cells = auditCells(event);
      return jsonLine(Object.fromEntries(AUDIT_TITLES.map((title, n) => [title, cells[n]])));
    },
  },
  fhir: { head: '', line: (event, namespace) => jsonLine(fhirAuditEvent(event, namespace)) },
} as const satisfies Readonly<Record<string, Format>>;

const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`;

/** `audit`: writes the audit trail, oldest first. Resolves with the exit code. */
export function auditCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('audit', host)
    .description('Exports who did what, when, to which appointment, and with what outcome.')
    .option('--since <day>', 'first day, such as 2026-11-20, in TIME_ZONE')
    .option('--until <day>', 'last day')
    .option('--appointment <id>', 'one appointment', wholeNumber)
    .option('--center <id>', 'one center', wholeNumber)
    .option('--client <name>', 'one client')
    .addOption(new Option('--format <name>', 'one line per row').choices(Object.keys(FORMATS)).default('csv'))
    .option('--new <file>', 'only rows added since the last run with this file, which records how far that run got')
    .option('--out <file>', 'the file to write; standard output if none is named')
    .action((flags: Flags) => exportAudit(flags, host));
  return runCommand(command, args, host);
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

function exportAudit({ out, format, new: placeFile, ...flags }: Flags, host: CommandHost): Promise<void> {
  return withStore(host, { mustExist: true }, async (store, { hospital: { timeZone }, namespace }) => {
    const filter: AuditFilter = {
      since: dayOf('--since', flags.since, timeZone)?.[0],
      // A recent row might still be preceded by a row that does not exist yet, and that no later copy would look for.
      until: placeFile === undefined ? dayOf('--until', flags.until, timeZone)?.[1] : host.clock() - SETTLED,
      appointmentId: flags.appointment,
      centerId: flags.center,
      client: flags.client,
    };
    if (placeFile !== undefined && Object.keys(flags).length > 0) {
      throw new UsageError('--new: expected no other option that selects rows.');
    }
    const placePath = placeFile === undefined ? undefined : resolve(host.folder, placeFile);
    const before = placePath === undefined ? undefined : await readPlace(placePath);
    let place = before;
    let count = 0;
    const pages = async function* () {
      const { head, line }: Format = FORMATS[format];
      if (before === undefined) yield head;
      for await (const page of pagesOf(store, filter, before)) {
        count += page.length;
        place = page.at(-1);
        yield page.map((event) => line(event, namespace)).join('');
      }
    };
    if (out === undefined) {
      for await (const text of pages()) host.output.write(text);
      await remember();
      return;
    }
    const path = resolve(host.folder, out);
    await writePrivateFile(path, pages(), host);
    await remember();
    host.output.write(`${path}: ${count} ${count === 1 ? 'row' : 'rows'}\n`);

    // Done after the rows are written: a run that is interrupted repeats rows instead of omitting them.
    async function remember(): Promise<void> {
      if (placePath !== undefined && place !== undefined) await writePlace(placePath, place, host);
    }
  });
}

function dayOf(option: string, day: string | undefined, timeZone: string) {
  if (day === undefined) return undefined;
  const instants = instantsOfDay(day, timeZone);
  if (instants === undefined) throw new UsageError(`${option} ${day}: expected a day such as 2026-11-20.`);
  return instants;
}

async function* pagesOf(store: Store, filter: AuditFilter, after: CopiedPlace | undefined) {
  for (let last = after; ; ) {
    const page = await store.read(({ audit }) => audit.page(filter, last));
    if (page.length === 0) return;
    yield page;
    last = page.at(-1);
  }
}
