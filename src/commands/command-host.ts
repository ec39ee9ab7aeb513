import { type Argument, Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander';
import { startFailure } from '../doctor/start-failure.ts';
import { readInstantText } from '../reference/cell-types.ts';
import { ImportRefused } from '../reference/problem.ts';
import { type Config, readConfig } from '../settings/config.ts';
import type { OnUpgrade, OpenOptions } from '../store/database-location.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { ServiceError, SetUpError } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';
import type { Progress } from '../vocabulary/progress.ts';
import { formatInstant } from '../vocabulary/time-zone.ts';
import type { BeforeEnd } from './copies/part-file.ts';

interface Output {
  write(text: string): unknown;
}

export interface CommandHost extends Pick<Machine, 'clock' | 'newId'> {
  /** A test's, in place of the database's. */
  readonly databaseClock?: OpenOptions['clock'];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder to which file names are relative. */
  readonly folder: string;
  /** The user of the operating system, for the audit trail. */
  readonly operator: string;
  readonly output: Output;
  readonly errors: Output;
  readonly beforeEnd: BeforeEnd;
  readonly progress: Progress;
  /** Asks the operator; false without a terminal. */
  readonly confirm: (question: string) => Promise<boolean>;
}

/** How commands end unless they succeed: a schedule can tell a run that failed from one that could never succeed. */
const ExitCode = { Failed: 1, WrongArguments: 2 } as const;

/** Adds its description, arguments, options and action to a new command. */
export type DefineCommand<Host extends CommandHost = CommandHost> = (command: Command, host: Host) => unknown;

/** The program `tpws`, still without commands. It writes where the host says, and never ends the process. */
export const newProgram = ({ output, errors }: CommandHost): Command =>
  new Command('tpws')
    .exitOverride()
    .configureHelp({
      argumentDescription: (argument: Argument) => withoutJson(new Help().argumentDescription(argument)),
      optionDescription: (option: Option) => withoutJson(new Help().optionDescription(option)),
    })
    .configureOutput({ writeOut: (text) => output.write(text), writeErr: (text) => errors.write(text) });

/** Commander writes defaults and choices as JSON. */
const withoutJson = (description: string): string => description.replace(/ \(default: \[\]\)|"/g, '');

/** Arguments that do not fit together, or one that Commander could not check. */
export class UsageError extends SetUpError {}

/** Reads an argument that is a whole number, of at most nine digits. */
export const wholeNumber =
  (least?: number) =>
  (text: string): number => {
    if (/^-?\d{1,9}$/.test(text) && Number(text) >= (least ?? Number(text))) return Number(text);
    throw new InvalidArgumentError(`Expected a whole number${least === undefined ? '' : ` from ${least}`}.`);
  };

/**
 * Reads an argument that is an instant in the past, ms. Without an offset, a time would be a different one in each center's time zone, and
 * everything in between would be missing.
 */
export const pastTime =
  ({ clock }: Pick<CommandHost, 'clock'>) =>
  (text: string): number => {
    const instant = readInstantText(text, undefined);
    if (instant === undefined) {
      throw new InvalidArgumentError(
        'Expected a day and a time that exist, with Z or an offset, such as 2026-11-22T20:00:00+05:30.',
      );
    }
    // With a wrong offset, hours would be missing.
    if (instant <= clock()) return instant;
    throw new InvalidArgumentError(`Expected a time in the past; it is now ${formatInstant(clock())}.`);
  };

/** For a command that has written itself what failed. */
export class ReportedFailure extends Error {}

/** Runs the program. Resolves with its exit code: 0, or 1 or, for wrong arguments, 2 after reporting what went wrong. */
export async function runProgram(program: Command, args: readonly string[], { errors }: CommandHost): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already reported what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ExitCode.WrongArguments;
    if (error instanceof ReportedFailure) return ExitCode.Failed;
    errors.write(`${failureText(error)}\n`);
    return error instanceof UsageError ? ExitCode.WrongArguments : ExitCode.Failed;
  }
}

/** What is reported to a person about an error that ended a command. */
export function failureText(error: unknown): string {
  return error instanceof ServiceError || error instanceof ImportRefused ? error.message : startFailure(error);
}

/**
 * After so long, no more rows appear with an earlier time. Transactions end later than the time in their rows, those of several processes
 * end in a different order, and each process measures the shared clock for itself.
 */
export const SETTLED_MS = 5 * 60_000;

/** How long a statement, or a pause between two, may take in a transaction that is as long as its files. */
const LONG_WORK_MS = 600_000;

/** Writes what happens while the schema is upgraded, a line for each event. */
export const showUpgrade =
  (output: Output): OnUpgrade =>
  (event, fields) =>
    output.write(
      `${event}: ${Object.entries(fields)
        .map((field) => field.join(' '))
        .join(', ')}\n`,
    );

/** Opens the service's database for a command, and closes it afterwards. A read-only command neither creates nor changes it. */
export async function withStore(
  { environment, errors, databaseClock: clock }: CommandHost,
  { mustExist = true, isLong = false }: { readonly mustExist?: boolean; readonly isLong?: boolean },
  work: (store: Store, config: Config) => Promise<void>,
): Promise<void> {
  const config = readConfig(environment);
  const { database } = config;
  refuseMemory(database);
  // A statement's time is limited because callers wait. Nobody waits for a command, and a million rows take time.
  const location =
    isLong && database.kind === 'postgres'
      ? { ...database, timeoutMs: Math.max(database.timeoutMs, LONG_WORK_MS) }
      : database;
  const store = await openStore(location, { mustExist, clock, onUpgrade: showUpgrade(errors) });
  try {
    await work(store, config);
  } finally {
    await store.close();
  }
}

/** Throws ServiceError `Unavailable` for an in-memory database, which belongs to one process and ends with it. */
export function refuseMemory(database: Config['database']): void {
  if (database.kind !== 'sqlite' || database.path !== ':memory:') return;
  throw new ServiceError('Unavailable', 'DATABASE_URL names a database in memory; expected the file of the service.');
}
