import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { readHospitalState } from '../../reference-data/hospital-state.ts';
import { nationalNumber, toE164 } from '../../rules/phone.ts';
import type { Store } from '../../store/store.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { type CommandHost, newCommand, runCommand, withStore } from '../command-host.ts';
import { writePrivateFile } from '../write-private-file.ts';
import { differingDetails } from './differing-details.ts';
import { doubtLines } from './doubt-lines.ts';
import { erasePerson } from './erase-person.ts';
import { findPerson, type PersonData, type PhoneReader } from './find-person.ts';
import { personJson } from './person-json.ts';
import { candidateLines, comingOf, counted, countLines, listed, waitingOf } from './person-report.ts';
import type { PersonSearch } from './person-search.ts';
import { readPersonSearch, type SearchFlags } from './read-person-search.ts';

interface PatientHost extends CommandHost {
  readonly newCorrelationId: () => string;
}

interface EraseFlags extends SearchFlags {
  readonly alsoComing?: boolean;
  readonly yes?: boolean;
}

/** `patient find|export|erase`: what is stored about one person. Resolves with the exit code. */
export function patientCommand(args: readonly string[], host: PatientHost): Promise<number> {
  const command = newCommand('patient', host).description('Shows, exports or erases what is stored about one patient.');
  withSearch(command.command('find').description('shows whose records are found, and how many')).action(
    (flags: SearchFlags) => search(flags, host, async (found) => showFound(found, host)),
  );
  withSearch(command.command('export').description('writes everything that is stored about the patient, as JSON'))
    .option('--out <file>', 'the file to write, which only you can read; standard output if none is named')
    .action(({ out, ...flags }: SearchFlags & { readonly out?: string }) =>
      search(flags, host, (found) => exportFound(found, out, host)),
    );
  withSearch(
    command
      .command('erase')
      .description('removes what identifies the patient; without --yes, only says what it would do'),
  )
    .option('--also-coming', 'also erase future appointments; they keep their slots, without a name')
    .option('--yes', 'erase; this cannot be undone')
    .action((flags: EraseFlags) => search(flags, host, (found) => eraseFound(found, flags, host)));
  return runCommand(command, args, host);
}

const withSearch = (command: Command): Command =>
  command
    .option('--registration <number>', 'the RegistrationNumber; once for each number of the patient', collected, [])
    .option('--phone <number>', 'the phone, however it is written; once for each phone of the patient', collected, [])
    .option('--name <name>', 'only appointments under this name; once for each spelling', collected, [])
    .option('--center <id>', 'only appointments of this center; once for each', collectedCenter, [])
    .option('--sex <letter>', 'only appointments with this sex or without one: M, F or O; once for each', collected, [])
    .option('--ipno <number>', 'inpatient number whose feedback is the patient’s; once for each', collected, [])
    .option(
      '--include <record>',
      'a record that is listed as unclear, such as feedback:7; once for each',
      collected,
      [],
    )
    .option(
      '--shared-phone',
      'all feedback and messages with the patient’s phones, even if others have these phones too',
    );

const collected = (text: string, before: readonly string[]): readonly string[] => [...before, text];

function collectedCenter(text: string, before: readonly number[]): readonly number[] {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return [...before, Number(text)];
}

interface Found {
  readonly store: Store;
  readonly search: PersonSearch;
  readonly data: PersonData;
  readonly coming: PersonData['appointments'];
  /** ms, by the clock that the services use. */
  readonly now: number;
}

function search(flags: SearchFlags, host: PatientHost, work: (found: Found) => Promise<void>): Promise<void> {
  return withStore(host, { mustExist: true, isLong: true }, async (store, config) => {
    const reader: PhoneReader = { e164: (text) => toE164(text, config.phoneRegion), national: nationalNumber };
    const personSearch = readPersonSearch(flags, config, reader);
    const data = await findPerson(store, personSearch, reader);
    const { centers } = await store.read(readHospitalState);
    const now = host.clock();
    const zones = new Map(centers.map(({ id, timeZone }) => [id, timeZone]));
    const coming = comingOf(data.appointments, zones, now);
    await work({ store, search: personSearch, data, coming, now });
  });
}

const write = (output: CommandHost['output'], lines: readonly string[]): void => {
  if (lines.length > 0) output.write(`${lines.join('\n')}\n`);
};

const isEmpty = ({ appointments, feedback, messages }: PersonData): boolean =>
  appointments.length + feedback.length + messages.length === 0;

/** If a search finds nothing, this must not sound as if nothing were stored: it says what else there is, and where it did not look. */
function emptyLines({ search: { phones }, data }: Found): readonly string[] {
  const doubts = doubtLines(data);
  if (phones.size > 0) {
    return doubts.length === 0
      ? ['Nothing is stored under these details.']
      : ['Nothing is stored that is clearly this patient’s.', ...doubts];
  }
  return [
    'Nothing was found that is clearly this patient’s.',
    ...doubts,
    'Messages, most feedback and appointments without a number are found only by phone; search with --phone as well.',
    ...(data.leftOut > 0
      ? [`Erasures have left out ${counted(data.leftOut, 'record', 'records')} that may be this patient’s.`]
      : []),
  ];
}

/**
 * Throws ServiceError if there is nothing to hand over, or if it may belong to several patients: nobody must receive, or lose, somebody
 * else's data.
 */
function requireOnePerson(found: Found): void {
  const lines = isEmpty(found.data) ? emptyLines(found) : severalLines(found);
  if (lines.length > 0) throw new ServiceError('InvalidValue', lines.join('\n'));
}

function severalLines({ search: personSearch, data }: Found): readonly string[] {
  const details = differingDetails(data, personSearch);
  if (details.length === 0) return [];
  const list = (texts: readonly string[]) => texts.join(' and ');
  return listed(
    `These may be several patients: they differ in ${list(details.map(({ name }) => name))}. Give ${list(details.map(({ option }) => option))} for each value that is this patient’s.`,
    candidateLines(data),
  );
}

function showFound(found: Found, { output }: CommandHost): void {
  const { data, coming } = found;
  const several = severalLines(found);
  const lines = isEmpty(data)
    ? emptyLines(found)
    : [...(several.length > 0 ? several : candidateLines(data)), ...countLines(data, coming), ...doubtLines(data)];
  write(output, lines);
}

async function exportFound(found: Found, out: string | undefined, host: PatientHost): Promise<void> {
  requireOnePerson(found);
  const { data, coming, now } = found;
  const json = personJson(data, now);
  if (out === undefined) {
    host.output.write(json);
    write(host.errors, doubtLines(data));
    return;
  }
  const path = resolve(host.folder, out);
  await writePrivateFile(
    path,
    (async function* () {
      yield json;
    })(),
    host,
  );
  write(host.output, [path, ...countLines(data, coming), ...doubtLines(data)]);
}

async function eraseFound(
  found: Found,
  { alsoComing, yes }: EraseFlags,
  { output, newCorrelationId }: PatientHost,
): Promise<void> {
  const { store, data, coming, now } = found;
  // Not an error, because this is how a second run ends.
  if (isEmpty(data)) {
    write(output, [...emptyLines(found), 'Nothing was erased.']);
    return;
  }
  requireOnePerson(found);
  if (coming.length > 0 && alsoComing !== true) {
    const ids = coming.map(({ id, center_id: center }) => `${id} of center ${center}`).join(', ');
    throw new ServiceError(
      'InvalidValue',
      `${counted(coming.length, 'appointment is', 'appointments are')} not over yet: ${ids}. Cancel first, or add --also-coming; nothing was erased.`,
    );
  }
  if (yes !== true) {
    const waiting = counted(waitingOf(data.messages).length, 'message', 'messages');
    write(output, [
      ...candidateLines(data),
      ...countLines(data, coming),
      ...doubtLines(data),
      `With --yes, this erases the names, numbers and texts of these records, and cancels ${waiting}. Nothing was changed.`,
    ]);
    return;
  }
  const cancelled = await erasePerson(store, data, { now, correlationId: newCorrelationId() });
  await store.purge();
  write(output, [
    ...countLines(data, coming),
    ...doubtLines(data),
    `Erased; ${counted(cancelled, 'message was', 'messages were')} cancelled. Backups, exports and files of messages still contain the data; see docs/patient-data.md.`,
  ]);
}
