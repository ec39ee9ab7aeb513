import { Refusal } from '../../../src/vocabulary/result-codes.ts';

/** The Refusal that a call throws. Fails if the call throws something else or nothing. */
export function refusalOf(call: () => unknown): Refusal {
  let answer: unknown;
  try {
    answer = call();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error(`Expected a Refusal, got ${JSON.stringify(answer)}`);
}
