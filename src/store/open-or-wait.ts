import { ServiceError } from '../vocabulary/errors.ts';
import { DatabaseAway } from './database-away.ts';
import type { Queries, Store } from './store.ts';

export interface OpenOrWaitDependencies {
  /** Throws DatabaseAway if a later attempt may succeed. */
  readonly open: () => Promise<Store>;
  /** Resolves after the pause between two attempts; rejects when `signal` is aborted. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
  /** The first attempt found that the database was unreachable. */
  readonly onAway: (error: DatabaseAway) => void;
  /** A later attempt succeeded. */
  readonly onOpen: (store: Store) => void;
  /** A later attempt failed permanently, so that there is no point in another one. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Opens a store. If its database is unreachable, returns a store that throws `Unavailable` until the database can be reached. Any other
 * error is thrown.
 */
export async function openOrWait(dependencies: OpenOrWaitDependencies): Promise<Store> {
  try {
    return await dependencies.open();
  } catch (error) {
    if (!(error instanceof DatabaseAway)) throw error;
    dependencies.onAway(error);
    return new AwaitedStore(dependencies);
  }
}

/** Keeps trying to open a store, and acts as that store once it is open. */
class AwaitedStore implements Store {
  readonly #closing = new AbortController();
  readonly #trying: Promise<void>;
  #store: Store | undefined;

  constructor(dependencies: OpenOrWaitDependencies) {
    this.#trying = this.#tryUntilOpen(dependencies);
  }

  get description(): string {
    return this.#store?.description ?? 'a database that cannot be reached yet';
  }

  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#store?.read(work) ?? unavailable();
  }

  write<T>(work: (queries: Queries) => Promise<T>, keys?: readonly string[]): Promise<T> {
    return this.#store?.write(work, keys) ?? unavailable();
  }

  referenceVersion(): Promise<number> {
    return this.#store?.referenceVersion() ?? unavailable();
  }

  flaw(): string | undefined {
    return this.#store === undefined ? 'The database cannot be reached yet.' : this.#store.flaw();
  }

  size(): Promise<number> {
    return this.#store?.size() ?? unavailable();
  }

  async purge(): Promise<void> {
    await this.#store?.purge();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#trying;
    await this.#store?.close();
  }

  async #tryUntilOpen({ open, pause, onOpen, onFailure }: OpenOrWaitDependencies): Promise<void> {
    const { signal } = this.#closing;
    while (this.#store === undefined) {
      await pause(signal).catch(() => {});
      if (signal.aborted) return;
      try {
        this.#store = await open();
        onOpen(this.#store);
      } catch (error) {
        if (error instanceof DatabaseAway) continue;
        onFailure(error);
        return;
      }
    }
  }
}

const unavailable = (): Promise<never> => Promise.reject(new ServiceError('Unavailable'));
