import Mocha from 'mocha';
import { skippedFor } from './reporter/run-summary.ts';

/** Skips a test, or from a hook those of its suite, and makes the summary of the run say why. */
export function skipTest(context: Mocha.Context, reason: string): never {
  const runnable = context.runnable();
  const named = runnable instanceof Mocha.Hook ? runnable.parent : runnable;
  if (named !== undefined && !named.title.includes(skippedFor(reason))) named.title += skippedFor(reason);
  return context.skip();
}
