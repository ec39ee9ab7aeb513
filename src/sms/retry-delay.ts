/** Longest wait between two attempts, in milliseconds. */
const CAP = 15 * 60 * 1000;

/**
 * Milliseconds to wait after a number of failed attempts: anything from zero to `base`, doubled for each attempt but the first, at most 15
 * minutes, so that messages that failed together are not retried together.
 * Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog: full jitter.
 */
export function retryDelay(tries: number, base: number, random: () => number): number {
  return Math.floor(random() * Math.min(CAP, base * 2 ** Math.max(0, tries - 1)));
}
