const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 30_000;
/** A worker that lived as long was well: the next pause is the first again. */
const GOOD_LIFE = 60_000;

/** How long to wait before a worker that died is replaced, in milliseconds: doubling to 30 s, until one lives for a minute. */
export function restartPause(lastPause: number | undefined, lived: number): number {
  if (lastPause === undefined || lived >= GOOD_LIFE) return FIRST_PAUSE;
  return Math.min(lastPause * 2, LONGEST_PAUSE);
}
