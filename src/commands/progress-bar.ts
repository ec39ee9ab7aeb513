import type { Progress } from '../reference-data/import-files.ts';

export interface Output {
  write(text: string): unknown;
  /** Whether a person is watching it being written. */
  readonly isTTY?: boolean | undefined;
}

export interface ProgressBar {
  /** Shows the progress of a part of the work. */
  part(title: string): Progress;
  clear(): void;
}

const WIDTH = 30;
/** Work that is finished within this time, in milliseconds, needs no bar. */
const LONG = 300;

/** A progress bar for work that takes long, if the output is a terminal; otherwise nothing. */
export function progressBar(output: Output, clock: () => number): ProgressBar {
  if (output.isTTY !== true) return { part: () => () => {}, clear: () => {} };
  const began = clock();
  let shown = '';
  return {
    part: (title) => (done) => {
      const full = Math.floor(Math.min(done, 1) * WIDTH);
      const bar = `${title} [${'#'.repeat(full)}${' '.repeat(WIDTH - full)}]`;
      if (bar === shown || clock() - began < LONG) return;
      shown = bar;
      output.write(`\r${bar}\u001b[K`);
    },
    clear: () => {
      if (shown !== '') output.write('\r\u001b[K');
      shown = '';
    },
  };
}
