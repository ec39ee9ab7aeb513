/** What came of one check, as a client prints it: a line of JSON. */
export interface Outcome {
  readonly operation: string;
  readonly transport: string;
  readonly check: string;
  /** Null: this stack cannot do it; `detail` says why. */
  readonly ok: boolean | null;
  readonly detail: string;
}

/** The outcomes among the lines of a client's output; other lines are left out. */
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
