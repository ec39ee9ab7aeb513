import type { SchemaState } from '../store/schema-state.ts';
import type { Vitals } from '../store/session.ts';

/** `wrong` keeps the service from starting or from working correctly; a `warning` needs to be judged by a person. */
export type Verdict = 'ok' | 'warning' | 'wrong';

/** One line of the doctor's output. */
export interface Finding {
  readonly verdict: Verdict;
  /** What was checked, in one or two words. */
  readonly subject: string;
  /** What was found and, unless everything is in order, what to do. Contains no secret. */
  readonly text: string;
}

const finding =
  (verdict: Verdict) =>
  (subject: string, text: string): Finding => ({ verdict, subject, text });

export const ok = finding('ok');
export const warning = finding('warning');
export const wrong = finding('wrong');

/** A finding as one line, in columns. */
export const findingText = ({ verdict, subject, text }: Finding): string =>
  `${verdict.padEnd(8)} ${subject.padEnd(14)} ${text}\n`;

/** What an inspection found out about a database, in which it changed nothing. */
export interface InspectedDatabase {
  /** Identifies the database, without a password. */
  readonly description: string;
  /** false if it does not exist yet; the first start creates it. */
  readonly exists: boolean;
  readonly schema: SchemaState;
  /** Why the service cannot write to it, and what to do, without a final period; undefined if it can. */
  readonly unusable: string | undefined;
  /** Whether it is sound, and what decides whether a commit survives a crash. */
  readonly findings: readonly Finding[];
  readonly vitals: Vitals;
  /** The files that contain the data, if they are on this machine. */
  readonly files: readonly string[];
}
