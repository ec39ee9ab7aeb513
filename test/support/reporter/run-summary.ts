/** The results of a test run. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  /** Full titles; `skipTest` has added the reason to them. */
  readonly skipped: readonly string[];
  readonly milliseconds: number;
}

/** What `skipTest` appends to the title of a test or suite. */
export const skippedFor = (reason: string): string => ` (skipped: ${reason})`;

/** A run in sentences: how many tests passed and failed, how long it took, and why some were skipped, which is no failure. */
export function runSummary({ passed, failed, skipped, milliseconds }: TestRun): string {
  const failures = failed === 0 ? '' : ` and ${failed} failed`;
  const reasons = Map.groupBy(skipped, reasonOf);
  return [
    `${count(passed)} passed${failures} in ${duration(milliseconds)}.`,
    ...(skipped.length === 0
      ? []
      : [
          `${count(skipped.length)} did not run here, which is no failure. How many, and what they need or who runs them:`,
        ]),
    ...[...reasons]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([reason, titles]) => `  ${titles.length}: ${reason}`),
  ].join('\n');
}

/** The numbers in a summary; undefined if there are none. */
export function summaryCounts(text: string): Pick<TestRun, 'passed' | 'failed'> | undefined {
  const [, passed, failed = '0'] = /^(\d+) tests? passed(?: and (\d+) failed)? in /m.exec(text) ?? [];
  return passed === undefined ? undefined : { passed: Number(passed), failed: Number(failed) };
}

const count = (tests: number): string => `${tests} ${tests === 1 ? 'test' : 'tests'}`;

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Why a test was skipped, from its full title. */
function reasonOf(title: string): string {
  const [, reason] = /\(skipped: (.*?)\)/.exec(title) ?? [];
  if (reason !== undefined) return reason;
  const [command] = /npm run ci -- [\w-]+/.exec(title) ?? [];
  return command === undefined ? title : `${command} runs them`;
}
