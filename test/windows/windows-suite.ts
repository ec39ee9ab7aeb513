import { reasonOf } from '../support/reporter/run-summary.ts';
import type { Wine } from './wine.ts';

/** The result of a folder of tests, or of one file, on Wine. */
export interface SuiteResult {
  readonly passed: number;
  readonly skipped: number;
  /** The title and error of each. */
  readonly failures: readonly string[];
  /** Why tests, or parts of tests, were skipped: each reason with its number of occurrences. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Files that ran twice, because Wine had failed one of their tests. */
  readonly repeated: readonly string[];
}

/** What the reporter in runtime/ prints, and what tests print themselves. */
interface Event {
  readonly event: 'begin' | 'pass' | 'pending' | 'fail' | 'note';
  readonly file?: string | undefined;
  readonly title: string;
  readonly error?: string;
}

/** For a whole suite, in milliseconds; some take ten minutes on a busy machine. */
const LIMIT = 3_000_000;
const NOTE = /\bnot compared\b.*$/;
/**
 * Occasionally, Wine refuses a connection without a word in the service's log, or a process that a test waits for hangs. Such a test
 * eventually fails with one of these.
 */
const FAILED_BY_WINE =
  /\b(?:connect (?:UNKNOWN|ECONNREFUSED|ETIMEDOUT)|(?:read|write) ECONNRESET|AbortError: The operation was aborted)\b/;

/** Runs a folder of test/, or a file there. Files in which Wine failed a test run once more, and the second run counts. */
export async function runSuite(wine: Wine, path: string): Promise<SuiteResult> {
  const events = await run(wine, [path.endsWith('.ts') ? `test/${path}` : `test/${path}/**/*.test.ts`]);
  const failures = events.filter(({ event, error = '' }) => event === 'fail' && FAILED_BY_WINE.test(error));
  const files = new Set(failures.flatMap(({ file }) => file ?? []));
  if (files.size === 0) return resultOf(events, []);
  const repeated = [...files].map((file) => `test/${file}`);
  const others = events.filter(({ file }) => file === undefined || !files.has(file));
  return resultOf([...others, ...(await run(wine, repeated))], repeated);
}

async function run(wine: Wine, specs: readonly string[]): Promise<Event[]> {
  const running = wine.mocha(specs);
  const timer = setTimeout(() => running.child.kill('SIGKILL'), LIMIT);
  const code = await running.ended;
  clearTimeout(timer);
  const events = running.output().split('\n').flatMap(eventOf);
  const failed = events.some(({ event }) => event === 'fail');
  if (code === 0 || (failed && code !== null)) return events;
  const last = events.findLast(({ event }) => event === 'begin')?.title ?? 'before the first test';
  const error = `mocha ended with ${code}:\n${running.output().slice(-2000)}`;
  return [...events, { event: 'fail', title: `stood still or ended: ${last}`, error }];
}

function eventOf(line: string): Event[] {
  const [, json] = /##(\{.*\})\s*$/.exec(line) ?? [];
  if (json !== undefined) {
    const event: Event = JSON.parse(json);
    return [{ ...event, file: event.file?.replaceAll('\\', '/').replace(/^.*\/test\//, '') }];
  }
  const [note] = NOTE.exec(line) ?? [];
  return note === undefined ? [] : [{ event: 'note', title: note.trim() }];
}

function resultOf(events: readonly Event[], repeated: readonly string[]): SuiteResult {
  const reasons = new Map<string, number>();
  const count = (wanted: Event['event']) => events.filter(({ event }) => event === wanted).length;
  for (const { event, title } of events) {
    if (event !== 'note' && event !== 'pending') continue;
    const reason = event === 'note' ? title : `skipped: ${reasonOf(title)}`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return {
    passed: count('pass'),
    skipped: count('pending'),
    failures: events.filter(({ event }) => event === 'fail').map(({ title, error }) => `${title}\n${error}`),
    reasons,
    repeated,
  };
}
