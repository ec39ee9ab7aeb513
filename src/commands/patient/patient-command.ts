import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { readHospitalState } from '../../reference-data/hospital-state.ts';
import { toE164 } from '../../rules/phone.ts';
import type { Config } from '../../settings/config.ts';
import type { Store } from '../../store/store.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { nameKey, registrationKey } from '../../vocabulary/patient-identity.ts';
import { type CommandHost, newCommand, runCommand, withStore } from '../command-host.ts';
import { writePrivateFile } from '../write-private-file.ts';
import { erasePerson } from './erase-person.ts';
import { findPerson, type PersonData, type Wish } from './find-person.ts';
import { personJson } from './person-json.ts';
import { comingOf, counted, countLines, namesOf, personLines, waitingOf } from './person-report.ts';

interface PatientHost extends CommandHost {
  readonly newCorrelationId: () => string;
}

interface SearchFlags {
  readonly registration?: string;
  readonly phone?: string;
  readonly center?: number;
  readonly name: readonly string[];
  readonly ipno: readonly string[];
  readonly sharedPhone?: boolean;
}

interface EraseFlags extends SearchFlags {
  readonly alsoComing?: boolean;
  readonly yes?: boolean;
}

/** `patient find|export|erase`: what is held about one person. Resolves with the exit code. */
export function patientCommand(args: readonly string[], host: PatientHost): Promise<number> {
  const command = newCommand('patient', host).description('Shows, exports or erases what is held about one patient.');
  withSearch(command.command('find').description('says who is found, and how much is held about them')).action(
    (flags: SearchFlags) => search(flags, host, async (found) => showFound(found, host)),
  );
  withSearch(command.command('export').description('writes everything that is held as JSON'))
    .option('--out <file>', 'where it goes, for you alone to read; to standard output, if none is named')
    .action(({ out, ...flags }: SearchFlags & { readonly out?: string }) =>
      search(flags, host, (found) => exportFound(found, out, host)),
    );
  withSearch(
    command
      .command('erase')
      .description('takes away what names the patient; without --yes, only says what it would do'),
  )
    .option('--also-coming', 'appointments that are still ahead, too: they keep their slots, without a name')
    .option('--yes', 'do it; nobody can take it back')
    .action((flags: EraseFlags) => search(flags, host, (found) => eraseFound(found, flags, host)));
  return runCommand(command, args, host);
}

const withSearch = (command: Command): Command =>
  command
    .option('--registration <number>', 'the RegistrationNumber')
    .option('--phone <number>', 'the phone, in any spelling; with --registration, only where both are right')
    .option('--center <id>', 'only appointments of this center', centerOf)
    .option('--name <name>', 'only persons of this name; again for each further spelling', collected, [])
    .option('--ipno <number>', 'in-patient number whose feedback is the patient’s; again for each', collected, [])
    .option('--shared-phone', 'feedback and messages of a phone that other patients have, too');

const collected = (text: string, before: readonly string[]): readonly string[] => [...before, text];

function centerOf(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

/** What a search found. */
interface Found {
  readonly store: Store;
  readonly data: PersonData;
  readonly coming: PersonData['appointments'];
  /** Whether names were used to select among the patients. */
  readonly isNamed: boolean;
  /** ms, by the clock that the services use. */
  readonly now: number;
}

function search(flags: SearchFlags, host: PatientHost, work: (found: Found) => Promise<void>): Promise<void> {
  return withStore(host, { mustExist: true }, async (store, config) => {
    const data = await findPerson(store, wishOf(flags, config));
    const { centers } = await store.read(readHospitalState);
    const now = (await store.time()) ?? host.clock();
    const zones = new Map(centers.map(({ id, timeZone }) => [id, timeZone]));
    const coming = comingOf(data.appointments, zones, now);
    await work({ store, data, coming, isNamed: flags.name.length > 0, now });
  });
}

function wishOf(flags: SearchFlags, { phoneRegion, registrationPlaceholders }: Config): Wish {
  const phoneOf = (text: string) => toE164(text, phoneRegion);
  const { registration, phone: givenPhone, ipno } = flags;
  if (registration === undefined && givenPhone === undefined && ipno.length === 0) {
    throw new ServiceError('InvalidValue', 'Expected --registration, --phone or --ipno.');
  }
  const key = registration === undefined ? undefined : registrationKey(registration, registrationPlaceholders);
  if (key === null) {
    throw new ServiceError('InvalidValue', '--registration: expected a number that stands for one patient.');
  }
  const phone = givenPhone === undefined ? undefined : phoneOf(givenPhone);
  if (givenPhone !== undefined && phone === undefined) {
    throw new ServiceError('InvalidValue', '--phone: expected a phone number such as 9845012345 or +919845012345.');
  }
  return {
    registrationKey: key,
    phone,
    centerId: flags.center,
    nameKeys: new Set(flags.name.map(nameKey)),
    inPatientNumbers: new Set(ipno),
    sharedPhone: flags.sharedPhone === true,
    phoneOf,
  };
}

const isEmpty = ({ appointments, feedback, messages, leftOut }: PersonData): boolean =>
  appointments.length + feedback.length + messages.length + leftOut.feedback + leftOut.messages === 0;

function showFound({ data, coming }: Found, { output }: CommandHost): void {
  const lines = isEmpty(data) ? ['Nothing is held.'] : [...personLines(data.appointments), ...countLines(data, coming)];
  output.write(`${lines.join('\n')}\n`);
}

/** A number may be mistyped, and a family may share a phone: nobody must receive, or lose, somebody else's data. */
function requireOnePerson({ data: { appointments }, isNamed }: Found): void {
  const names = namesOf(appointments);
  if (names.length < 2 || isNamed) return;
  throw new ServiceError(
    'InvalidValue',
    `These are ${names.length} names: ${names.join('; ')}. Choose with --name, given again for each name of the patient.`,
  );
}

async function exportFound(found: Found, out: string | undefined, host: PatientHost): Promise<void> {
  requireOnePerson(found);
  const json = personJson(found.data, found.now);
  if (out === undefined) {
    host.output.write(json);
    return;
  }
  const path = resolve(host.folder, out);
  await writePrivateFile(
    path,
    (async function* () {
      yield json;
    })(),
  );
  host.output.write(`${[path, ...countLines(found.data, found.coming)].join('\n')}\n`);
}

async function eraseFound(
  found: Found,
  { alsoComing, yes }: EraseFlags,
  { output, newCorrelationId }: PatientHost,
): Promise<void> {
  const { store, data, coming, now } = found;
  if (isEmpty(data)) {
    output.write('Nothing is held: there is nothing to erase.\n');
    return;
  }
  requireOnePerson(found);
  if (coming.length > 0 && alsoComing !== true) {
    const ids = coming.map(({ id, center_id: center }) => `${id} of center ${center}`).join(', ');
    throw new ServiceError(
      'InvalidValue',
      `${counted(coming.length, 'appointment is', 'appointments are')} still ahead: ${ids}. Cancel first, or erase with --also-coming; nothing was erased.`,
    );
  }
  if (yes !== true) {
    const waiting = counted(waitingOf(data.messages).length, 'message', 'messages');
    const lines = [
      ...personLines(data.appointments),
      ...countLines(data, coming),
      `Would erase names, numbers and texts of these, and cancel ${waiting}. Nothing was changed; --yes does it.`,
    ];
    output.write(`${lines.join('\n')}\n`);
    return;
  }
  const cancelled = await erasePerson(store, data, { now, correlationId: newCorrelationId() });
  await store.purge();
  const lines = [
    ...countLines(data, coming),
    `Erased; ${counted(cancelled, 'message was', 'messages were')} cancelled. Backups, exports and files of messages keep what they have: docs/patient-data.md.`,
  ];
  output.write(`${lines.join('\n')}\n`);
}
