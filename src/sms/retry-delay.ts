/** Longest delay between two attempts, in milliseconds. */
export const LONGEST_RETRY = 15 * 60 * 1000;

/**
 * How many milliseconds to wait after a number of failed attempts: a random time from zero to `base`, which is doubled for each attempt
 * after the first, up to 15 minutes, so that messages that failed together are not retried together.
 * Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog: full jitter.
 */
export function retryDelay(tries: number, base: number, random: () => number): number {
  return Math.floor(random() * Math.min(LONGEST_RETRY, base * 2 ** Math.max(0, tries - 1)));
}
