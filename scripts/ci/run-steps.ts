/** One check that a change must pass: a separate program, whose exit code says whether it did. */
export interface Step {
  /** No other step has the same name. */
  readonly name: string;
  readonly command: readonly [program: string, ...parameters: string[]];
  /** What it checks. */
  readonly what?: string;
  /** Parameters in CI; a person may give others. */
  readonly options?: readonly string[];
  /** Environment variables that override those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Processor cores that it keeps busy. One that mostly waits counts as half a core. */
  readonly cores: 0.5 | 1 | 2;
  /** Names of the steps that must pass first. */
  readonly after?: readonly string[];
  /** Whether it runs only if it is named. */
  readonly isOnRequest?: boolean;
}

/** How the program of a step ended. */
export interface Ending {
  readonly ok: boolean;
  /** Everything that it printed. */
  readonly output: string;
}

/** A step that has ended. Times are in seconds; its start is relative to that of the first step. */
export interface StepResult extends Ending {
  readonly name: string;
  readonly began: number;
  readonly seconds: number;
}

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

/** What each step took, the longest first, and all of them together. */
export function stepTable(results: readonly StepResult[]): string {
  const rows = results
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ name, ok, began, seconds }) => ({ name: ok ? name : `${name} (FAILED)`, began, seconds }));
  const all = { name: 'all', began: 0, seconds: Math.max(0, ...rows.map(({ began, seconds }) => began + seconds)) };
  const width = Math.max(...rows.map(({ name }) => name.length), 'step'.length);
  const line = (name: string, ...cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(6))].join('  ');
  const lines = [...rows, all].map(({ name, began, seconds }) =>
    line(name, `${began.toFixed(0)} s`, `${seconds.toFixed(0)} s`),
  );
  return [line('step', 'began', 'took'), ...lines].join('\n');
}
