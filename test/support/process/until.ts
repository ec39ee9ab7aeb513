import { setTimeout } from 'node:timers/promises';

/** Resolves when it is so, and looks every few milliseconds; the time limit of the test applies. */
export async function until(reached: () => boolean | Promise<boolean>, everyMs = 10): Promise<void> {
  while (!(await reached())) await setTimeout(everyMs);
}
