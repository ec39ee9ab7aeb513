/** One check that a change must pass: a separate program, whose exit code says whether it did. */
export interface Step {
  /** What it checks; no other step has the same name. */
  readonly name: string;
  readonly command: readonly [program: string, ...parameters: string[]];
  /** Environment variables that override those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Processor cores that it keeps busy. One that mostly waits counts as half a core. */
  readonly cores: 0.5 | 1 | 2;
  /** Names of the steps that must pass first. */
  readonly after?: readonly string[];
}

/** How the program of a step ended. */
export interface Ending {
  readonly ok: boolean;
  /** Everything that it printed. */
  readonly output: string;
  /** Processor time of the program and all its children that it waited for, user and system, in seconds. */
  readonly cpuSeconds: number;
}

/** A step that has ended. Times are in seconds; its start is relative to that of the first step. */
export interface StepResult extends Ending {
  readonly name: string;
  readonly began: number;
  readonly seconds: number;
}
