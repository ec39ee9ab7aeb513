import type { Progress } from '../vocabulary/progress.ts';
import { visibleText } from '../vocabulary/text.ts';

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** So rarely that it costs a long command nothing. */
const INTERVAL_MS = 200;
const ERASE = '\r\x1b[K';

/**
 * How far a long command has come, as a line of a terminal that each one replaces; nothing in a pipe, and nothing where nobody watches (CI).
 * `clear` removes it in front of other output. `clock`: monotonic ms.
 */
export function progressLine(
  terminal: Terminal,
  { CI }: Readonly<Record<string, string | undefined>>,
  clock: () => number,
) {
  const isWatched = terminal.isTTY === true && !CI;
  let shown: string | undefined;
  let next = 0;
  const progress: Progress = (what, done, total) => {
    if (!isWatched || (what === shown && clock() < next)) return;
    shown = what;
    next = clock() + INTERVAL_MS;
    const part = total ? `${Math.floor((100 * (done ?? 0)) / total)} %` : (done ?? '…');
    terminal.write(`${ERASE}${visibleText(`${what}: ${part}`).slice(0, (terminal.columns || 80) - 1)}`);
  };
  const clear = () => {
    if (shown !== undefined) terminal.write(ERASE);
    shown = undefined;
  };
  return { progress, clear };
}
