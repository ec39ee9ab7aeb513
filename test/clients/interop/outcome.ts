/** The outcome of one check, as a client prints it: one line of JSON. */
export interface Outcome {
  readonly operation: string;
  readonly transport: string;
  readonly check: string;
  /** Null: this platform cannot do it; `detail` says why. */
  readonly ok: boolean | null;
  readonly detail: string;
}

/** The outcomes in a client's output; other lines are ignored. */
export function readOutcomes(output: string): Outcome[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return [JSON.parse(line) as Outcome];
    } catch {
      return [{ operation: '', transport: '', check: 'output', ok: false, detail: `not JSON: ${line}` }];
    }
  });
}
