const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 30_000;
/** A worker that lived for this long was healthy, so the next pause is the initial one again; in milliseconds. */
const GOOD_LIFE = 60_000;

/** How long to wait before replacing a worker that died, in milliseconds. Doubles up to 30 s, until a worker lives for a minute. */
export function restartPause(lastPause: number | undefined, lived: number): number {
  if (lastPause === undefined || lived >= GOOD_LIFE) return FIRST_PAUSE;
  return Math.min(lastPause * 2, LONGEST_PAUSE);
}
