import Mocha from 'mocha';
import { runSummary } from './run-summary.ts';

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;

/** Moves to the start of the line and clears it. */
const CLEAR = '\r\x1b[K';

/** Milliseconds between the lines that show progress where there is no terminal. */
const BETWEEN_LINES = 10_000;

/**
 * A reporter that prints failures, and a summary in sentences; while the tests run, it shows how many are done: a terminal at each test,
 * a file or pipe every ten seconds. Mocha uses the default export of a reporter's file.
 */
export default class PlainReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const began = performance.now();
    const skipped: string[] = [];
    let passed = 0;
    let shown = began;
    const progress = () => {
      const now = performance.now();
      if (!process.stdout.isTTY && now - shown < BETWEEN_LINES) return;
      shown = now;
      const failed = this.failures.length === 0 ? '' : `, ${this.failures.length} failed`;
      const soFar = `${passed} passed${failed}`;
      process.stdout.write(process.stdout.isTTY ? CLEAR + soFar : `${soFar} so far\n`);
    };
    runner.on(EVENT_TEST_PASS, () => {
      passed++;
      progress();
    });
    runner.on(EVENT_TEST_FAIL, progress);
    runner.on(EVENT_TEST_PENDING, (test) => skipped.push(test.fullTitle()));
    runner.once(EVENT_RUN_END, () => {
      if (process.stdout.isTTY) process.stdout.write(CLEAR);
      if (this.failures.length > 0) Mocha.reporters.Base.list(this.failures);
      const run = { passed, failed: this.failures.length, skipped, milliseconds: performance.now() - began };
      process.stdout.write(`${runSummary(run)}\n`);
    });
  }
}
