const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 30_000;
/** A worker that lived this long was healthy: the next pause is the first one again. */
const GOOD_LIFE = 60_000;

/** How long to wait before a worker that died is replaced, in milliseconds: doubling up to 30 s, until one lives for a minute. */
export function restartPause(lastPause: number | undefined, lived: number): number {
  if (lastPause === undefined || lived >= GOOD_LIFE) return FIRST_PAUSE;
  return Math.min(lastPause * 2, LONGEST_PAUSE);
}
