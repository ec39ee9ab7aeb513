/** What the service takes from the machine on which it runs, so that tests can control time and chance. */
export interface Machine {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  /** Resolves after so many milliseconds, or rejects once the signal is aborted. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** A name that nothing else has: of a call, or of this process. */
  readonly newId: () => string;
  /** Its environment variables, in which Node looks for web proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Random bytes, different in every process. */
  readonly processKey: Uint8Array;
}
