import type { Contract } from '../contract/contract.ts';
import type { Config } from '../settings/config.ts';
import type { OpenOptions } from '../store/database-location.ts';
import type { SchemaState } from '../store/schema-state.ts';
import type { Queries, Store } from '../store/store.ts';
import type { Machine } from '../vocabulary/machine.ts';
import { startFailure } from './start-failure.ts';

/** `wrong` keeps the service from starting or from working correctly; a `warning` needs to be judged by a person. */
export type Verdict = (typeof VERDICTS)[number];
export const VERDICTS = ['ok', 'warning', 'wrong'] as const;

/**
 * What is checked, by subject: what is looked at, and what a start does about a flaw. Only the doctor looks at the others. docs/operators/operating.md
 * has this as a table.
 */
export const CHECKS = {
  version: ['the versions of the service, of Node and of its time zone data', 'refuses an older Node'],
  configuration: ['every setting, and names that are nearly those of settings', 'refuses'],
  database: [
    'whether it is there, can be written, was not copied elsewhere, and is behind no pooler in another mode than session',
    'refuses',
  ],
  schema: ["whether it is this version's", 'upgrades an older one, refuses a newer one'],
  integrity: ['whether SQLite can read the whole file'],
  guards: ['whether tables, triggers and constraints are as their version creates them'],
  durability: ['whether a commit survives a crash'],
  standby: ['whether PostgreSQL waits for its standby'],
  connections: ['whether PostgreSQL allows as many as DATABASE_POOL_SIZE'],
  rights: ["what the service's role and the others may do in PostgreSQL beyond what they need"],
  'free pages': ['how much of the SQLite file is empty'],
  clocks: ["whether PostgreSQL's clock agrees with this machine's"],
  numbers: ['whether new rows get numbers that no row has, and half of them are left'],
  backup: ['when the last one was made'],
  retention: ['whether each kind of data has a period, and when old data was last deleted'],
  outbox: ['how long messages have been waiting, and whether any is Dead'],
  gateway: ['whether it can be reached, what it last accepted and what it answered since; nothing is sent'],
  deliveries: ["what became of the last hour's messages"],
  appointments: [
    "whether upcoming ones fit their doctors' hours, leave, slots and capacity, and no patient has two at a time",
  ],
  lists: ['whether the longest lists of doctors and appointments fit what callers read by default'],
  'demo data': ['whether the database contains it, although DEMO_DATA is off', 'warns'],
  clock: ['whether it can be right, and how far it is ahead of the last thing recorded', 'warns'],
  disk: ['whether the SQLite file is on a local disk with free space, and its write-ahead log stays small', 'warns'],
  files: ['whether the process may open enough files for MAX_CONNECTIONS', 'warns, and accepts fewer'],
  growth: ['how much one address may store in a day'],
  'file modes': ['whether others may read the files with data and secrets', 'warns'],
  'file rights': ['on Windows, the folders whose permissions a person must check'],
  port: ['whether PORT and OPERATIONS_PORT are free', 'refuses'],
  PUBLIC_URL: ['whether callers can use the address that they are given, and by which names they may call', 'warns'],
  access: [
    'who may call; the clients file, and whether its centers exist; whether HOST is an address',
    'warns if anyone may, or of a name in HOST; refuses a wrong file',
  ],
  TLS: ['whether passwords are encrypted; the files, and until when', 'warns of clear text, refuses wrong files'],
  proxies: ['whether callers behind a proxy are told apart, and cannot claim another address', 'warns'],
  'text messages': ['whether they reach phones', 'warns, refuses a gateway that cannot be chosen'],
} as const satisfies Readonly<Record<string, readonly [looksAt: string, atStart?: string]>>;

/** One line of the doctor's output. */
export interface Finding {
  readonly verdict: Verdict;
  /** What was checked; `readiness` and `calls` are a running process's. */
  readonly subject: keyof typeof CHECKS | 'readiness' | 'calls';
  /** What was found and, unless everything is in order, what to do. Contains no secret. */
  readonly text: string;
}

const finding =
  (verdict: Verdict) =>
  (subject: Finding['subject'], text: string): Finding => ({ verdict, subject, text });

export const ok = finding('ok');
export const warning = finding('warning');
export const wrong = finding('wrong');

/** A finding as one line, in columns. */
export const findingText = ({ verdict, subject, text }: Finding): string =>
  `${verdict.padEnd(8)} ${subject.padEnd(14)} ${text}`;

/** What a check looks at. */
export interface Context extends Pick<Machine, 'clock' | 'environment'> {
  readonly config: Config;
  readonly contract: Contract;
  readonly machine: Runtime;
  /** A test's clock, in place of that of the database that is looked at. */
  readonly databaseClock?: OpenOptions['clock'];
}

/** What runs the process that is looked at. */
interface Runtime {
  readonly platform: NodeJS.Platform;
  /** Whose limits the report has, as the subject of a sentence. */
  readonly who: string;
  /** Node's diagnostic report, which has the limits of the process. */
  readonly processReport?: object | undefined;
}

/** Looks at one thing and changes nothing. */
export type Check<From extends Context = Context> = (from: From) => readonly Finding[] | Promise<readonly Finding[]>;

/** What a check of the stored records looks at. `clock` is the store's. */
export interface RecordContext extends Context {
  readonly queries: Queries;
  readonly machineClock: Machine['clock'];
}

/** Runs one check after another, because those of records share a connection. */
export async function findingsOf<From extends Context>(
  checks: readonly Check<From>[],
  from: From,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const check of checks) found.push(...(await check(from)));
  return found;
}

/** Runs checks of the stored records. */
export const recordFindings = (
  checks: readonly Check<RecordContext>[],
  context: Context,
  store: Store,
): Promise<readonly Finding[]> =>
  store.read((queries) => findingsOf(checks, { ...context, queries, clock: store.clock, machineClock: context.clock }));

/** An error as the text of a finding, in one line. */
export const errorText = (error: unknown): string => startFailure(error).replace(/\n\s*/g, ' ');

/** What an inspection found out about a database, in which it changed nothing. */
export interface InspectedDatabase {
  /** Identifies the database, without a password. */
  readonly description: string;
  /** false if it does not exist yet; the first start creates it. */
  readonly exists: boolean;
  readonly schema: SchemaState;
  /** The steps that created the schema. */
  readonly taken: readonly string[];
  /** Why the service cannot write to it, and what to do, without a final period; undefined if it can. */
  readonly unusable: string | undefined;
  /** Whether it is sound, and what decides whether a commit survives a crash. */
  readonly findings: readonly Finding[];
}
