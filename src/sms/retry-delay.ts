/** Longest wait between two tries, in milliseconds. */
const CAP = 15 * 60 * 1000;

/**
 * Milliseconds to wait after a number of tries that failed: anything from none to `base` × 2 for each try but the first, at most 15
 * minutes, so that messages that failed together don't come back together.
 * Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog: full jitter.
 */
export function retryDelay(tries: number, base: number, random: () => number): number {
  return Math.floor(random() * Math.min(CAP, base * 2 ** Math.max(0, tries - 1)));
}
