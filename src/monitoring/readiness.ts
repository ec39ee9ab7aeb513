import type { Log } from '../log/log.ts';
import { SCHEMA_STEPS } from '../store/migrations/migrate.ts';
import type { Store } from '../store/store.ts';

/** The result of `work`; undefined if it takes longer than `limitMs`. Rejects as `work` does. */
export async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, limitMs, undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long the database may take to answer: the caller gives up soon after that. */
const LIMIT_MS = 2000;

/**
 * Whether calls can be answered now. A full disk or a database that became read-only does not count: reads are still answered, and all
 * instances share the database, so a load balancer that stopped sending calls here would lose the reads and gain nothing. The calls that
 * write fail with `Unavailable`, which has an alert of its own.
 */
export interface Readiness {
  /** undefined if they can, otherwise a sentence that says why not. Never rejects. */
  check(): Promise<string | undefined>;
  /** From now on they cannot be answered, because the service is stopping. */
  stop(): void;
}

export function createReadiness(store: Store, log: Log, limitMs = LIMIT_MS): Readiness {
  let isStopping = false;
  let wasReady = true;

  async function checkStore(): Promise<string | undefined> {
    const flaw = store.flaw();
    if (flaw !== undefined) return flaw;
    try {
      const steps = await inTime(
        store.read(({ facts }) => facts.schemaSteps()),
        limitMs,
      );
      if (steps === undefined) return 'The database does not answer in time.';
      // A replica sees a newer schema while the others already run the next version. It continues to serve.
      const isOlder = [...SCHEMA_STEPS.keys()].some((step) => !steps.includes(step));
      return isOlder ? 'The schema of the database is that of an older version.' : undefined;
    } catch (error) {
      const found = store.flaw();
      if (found !== undefined) return found;
      if (wasReady) log.error('database does not answer', { error });
      return 'The database cannot be read.';
    }
  }

  return {
    stop: () => {
      isStopping = true;
    },
    check: async () => {
      if (isStopping) return 'The service is stopping.';
      const reason = await checkStore();
      // This is called every few seconds for hours, so only changes are logged.
      if (wasReady !== (reason === undefined)) log.warn(reason === undefined ? 'ready again' : 'not ready', { reason });
      wasReady = reason === undefined;
      return reason;
    },
  };
}
