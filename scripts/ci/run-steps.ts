import type { Ending, Step, StepResult } from './step.ts';

export interface StepRunner {
  /** Number of processor cores. */
  readonly cores: number;
  /** Milliseconds, from an arbitrary moment. */
  readonly clock: () => number;
  /** Runs the program of a step to its end. */
  readonly run: (step: Step) => Promise<Ending>;
  readonly onStart: (step: Step) => void;
  readonly onEnd: (result: StepResult) => void;
}

/**
 * Runs steps in parallel, as many as the cores allow. They start in the order of the list: one that waits for another step lets those
 * behind it go ahead, but one that waits for cores does not, because otherwise it would wait forever. A failure prevents only the steps
 * that depend on it from starting. Resolves with the steps that ended, in that order, and the names of those that never started.
 */
export async function runSteps(
  steps: readonly Step[],
  { cores, clock, run, onStart, onEnd }: StepRunner,
): Promise<{ readonly results: readonly StepResult[]; readonly notStarted: readonly string[] }> {
  const waiting = [...steps];
  const running = new Map<string, Promise<void>>();
  const passed = new Set<string>();
  const results: StepResult[] = [];
  const began = clock();
  const seconds = () => (clock() - began) / 1000;
  let free = cores;

  async function carryOut(step: Step): Promise<void> {
    const start = seconds();
    onStart(step);
    const ending = await run(step);
    const result = { name: step.name, began: start, seconds: seconds() - start, ...ending };
    results.push(result);
    if (ending.ok) passed.add(step.name);
    free += step.cores;
    running.delete(step.name);
    onEnd(result);
  }

  const isReady = ({ after = [] }: Step): boolean => after.every((name) => passed.has(name));

  for (;;) {
    for (let next = waiting.find(isReady); next !== undefined && next.cores <= free; next = waiting.find(isReady)) {
      waiting.splice(waiting.indexOf(next), 1);
      free -= next.cores;
      running.set(next.name, carryOut(next));
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  return { results, notStarted: waiting.map(({ name }) => name) };
}
