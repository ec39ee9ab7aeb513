import type { Log } from '../log/log.ts';
import { SCHEMA_STEPS } from '../store/migrations/migrate.ts';
import type { Store } from '../store/store.ts';
import { inTime } from '../vocabulary/in-time.ts';

/** How long the database may take to answer: the caller gives up soon after that. */
const LIMIT_MS = 2000;

/**
 * Whether calls can be answered now. A full disk or a database that became read-only does not count: reads are still answered, and all
 * instances share the database, so a load balancer that stopped sending calls here would lose the reads and gain nothing. The calls that
 * write fail with `Unavailable`, which has an alert of its own.
 */
export class Readiness {
  readonly #store: Store;
  readonly #log: Log;
  readonly #limitMs: number;
  #isStopping = false;
  #wasReady = true;

  constructor(store: Store, log: Log, limitMs = LIMIT_MS) {
    this.#store = store;
    this.#log = log;
    this.#limitMs = limitMs;
  }

  /** undefined if they can, otherwise a sentence that says why not. Never rejects. */
  async check(): Promise<string | undefined> {
    if (this.#isStopping) return 'The service is stopping.';
    const reason = await this.#checkStore();
    const isReady = reason === undefined;
    // This is called every few seconds for hours, so only changes are logged.
    if (this.#wasReady !== isReady) this.#log.warn(isReady ? 'ready again' : 'not ready', { reason });
    this.#wasReady = isReady;
    return reason;
  }

  /** From now on they cannot be answered, because the service is stopping. */
  stop(): void {
    this.#isStopping = true;
  }

  async #checkStore(): Promise<string | undefined> {
    const store = this.#store;
    const flaw = store.flaw();
    if (flaw !== undefined) return flaw;
    try {
      const reading = store.read(async ({ facts }) => {
        const missing = await facts.missingRights();
        return missing === undefined ? await facts.schemaSteps() : `In the database, ${missing}.`;
      });
      const steps = await inTime(reading, this.#limitMs);
      if (steps === undefined) return 'The database does not answer in time.';
      if (typeof steps === 'string') return steps;
      // A replica sees a newer schema while the others already run the next version. It continues to serve.
      const isOlder = [...SCHEMA_STEPS.keys()].some((step) => !steps.includes(step));
      return isOlder ? 'The schema of the database is that of an older version.' : undefined;
    } catch (error) {
      const found = store.flaw();
      if (found !== undefined) return found;
      if (this.#wasReady) this.#log.error('database does not answer', { error });
      return 'The database cannot be read.';
    }
  }
}
