import type pg from 'pg';
import { type AccessTimer, UNTIMED } from '../database-location.ts';
import type { ReferenceData } from '../queries/reference-data.ts';
import { type KnownReference, SeenReference } from '../queries/seen-reference.ts';
import type { Session } from '../session.ts';
import { BlockedError, bindQueries, type Queries, type Store, storeError } from '../store.ts';
import { isOutdatedConnection, isRerunnable, isTimeout, unavailableReason } from './postgres-errors.ts';
import type { ServerClock } from './server-clock.ts';
import { WorkLocks, WorkQueue } from './work-keys.ts';
import { UnansweredCommit, WriterPlaces } from './writer-places.ts';

/** Maximum number of times that a unit of work is rerun because it conflicted with another one. */
const MOST_RERUNS = 5;

/** The maximum pause before the first rerun; it doubles each time. */
const RERUN_PAUSE_MS = 20;

/** A sequence that never comes close to repeating itself, so that the pauses differ. Source: Weyl; the golden ratio. */
const GOLDEN = 0.618_033_988_749_895;

const silent = () => {};

export interface PostgresParts {
  readonly description: string;
  readonly serverClock: ServerClock;
  /** In place of the server's. */
  readonly clock: (() => number) | undefined;
  readonly pool: pg.Pool;
  readonly sessionOn: (on: pg.Pool | pg.PoolClient) => Session;
  /** How long a unit of work waits for those that share a key. */
  readonly timeoutMs: number;
  readonly timer?: AccessTimer | undefined;
}

/** What a connection needs in order to write. */
interface Writer {
  readonly queries: Queries;
  readonly seen: SeenReference;
}

export class PostgresStore implements Store {
  readonly description: string;
  readonly clock: () => number;
  readonly #serverClock: ServerClock;
  readonly #pool: pg.Pool;
  readonly #sessionOn: PostgresParts['sessionOn'];
  readonly #readQueries: Queries;
  readonly #writers = new WeakMap<pg.PoolClient, Writer>();
  readonly #queue: WorkQueue;
  readonly #places: WriterPlaces;
  readonly #locks: WorkLocks;
  readonly #running = new Set<Promise<unknown>>();
  readonly #timer: AccessTimer;
  readonly #known: KnownReference = {};
  readonly #seen: SeenReference;
  #nextReference: Promise<ReferenceData> | undefined;
  #reruns = 0;

  constructor(parts: PostgresParts) {
    const { description, serverClock, clock = serverClock.now, pool, sessionOn, timeoutMs, timer = UNTIMED } = parts;
    this.#timer = timer;
    this.description = description;
    this.clock = clock;
    this.#serverClock = serverClock;
    this.#pool = pool;
    this.#sessionOn = sessionOn;
    const session = sessionOn(pool);
    this.#seen = new SeenReference(session, this.#known);
    this.#readQueries = bindQueries(session, { data: () => this.#sharedReference(), noteChange: silent });
    this.#queue = new WorkQueue(timeoutMs);
    this.#places = new WriterPlaces(pool, timeoutMs);
    this.#locks = new WorkLocks(pool);
  }

  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#track('read', async () => {
      try {
        return await work(this.#readQueries);
      } catch (error) {
        throw ownError(error);
      }
    });
  }

  write<T>(work: (queries: Queries) => Promise<T>, keys?: readonly string[]): Promise<T> {
    return this.#track('write', () => this.#queue.run(keys, () => this.#writeUntilDone(work, keys)));
  }

  reference(): Promise<ReferenceData> {
    return this.read(({ reference }) => reference());
  }

  async size(): Promise<number> {
    try {
      const { rows } = await this.#pool.query<{ bytes: number }>(
        'SELECT pg_database_size(current_database()) AS bytes',
      );
      return rows[0]?.bytes ?? Number.NaN;
    } catch (error) {
      throw ownError(error);
    }
  }

  flaw(): undefined {
    return undefined;
  }

  async purge(): Promise<void> {}

  async close(): Promise<void> {
    this.#serverClock.stop();
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #track<T>(access: 'read' | 'write', run: () => Promise<T>): Promise<T> {
    const ended = this.#timer.timeAccess(access);
    const running = run();
    this.#running.add(running);
    try {
      const value = await running;
      ended();
      return value;
    } catch (error) {
      ended(error);
      throw error;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Calls in the same turn of the event loop share a query, which is sent after all of them have asked. */
  #sharedReference(): Promise<ReferenceData> {
    this.#nextReference ??= new Promise(setImmediate).then(() => {
      this.#nextReference = undefined;
      this.#seen.forget();
      return this.#seen.data();
    });
    return this.#nextReference;
  }

  async #writeUntilDone<T>(work: (queries: Queries) => Promise<T>, keys: readonly string[] | undefined): Promise<T> {
    for (let reruns = 0; ; reruns++) {
      try {
        return await this.#writeOnce(work, keys);
      } catch (error) {
        if (!isRerunnable(error, reruns) || reruns === MOST_RERUNS) throw ownError(error);
        const pause = RERUN_PAUSE_MS * 2 ** reruns * ((++this.#reruns * GOLDEN) % 1);
        await new Promise((resume) => setTimeout(resume, pause));
      }
    }
  }

  async #writeOnce<T>(work: (queries: Queries) => Promise<T>, keys: readonly string[] | undefined) {
    const secret = await this.#locks.secret();
    const client = await this.#places.take();
    let begun: Promise<unknown> | undefined;
    let hasLocks = true;
    try {
      // The first query is sent together with it. If the transaction doesn't get its locks, the server refuses everything that follows.
      begun = this.#locks.begin(client, secret, keys);
      begun.catch(() => {
        hasLocks = false;
      });
      const { queries, seen } = this.#writerOn(client);
      seen.forget();
      const value = await work(queries);
      await this.#places.commit(client, await begun);
      this.#places.release(client);
      return value;
    } catch (error) {
      // Its connection is still in use.
      if (error instanceof UnansweredCommit) throw error;
      const first = await begun?.then(
        () => error,
        (reason: unknown) => reason,
      );
      const reason = first ?? error;
      const isBlocked = !hasLocks && isTimeout(reason);
      const holder = isBlocked ? await this.#locks.holder(client, secret, keys).catch(silent) : undefined;
      await this.#giveUp(client, isOutdatedConnection(reason));
      throw holder === undefined ? reason : new BlockedError(holder, reason);
    }
  }

  /** Ends the transaction. The connection is discarded if that fails, or if it leads to a server that cannot write. */
  async #giveUp(client: pg.PoolClient, isOutdated: boolean): Promise<void> {
    try {
      await client.query('ROLLBACK');
      this.#places.release(client, isOutdated);
    } catch {
      this.#places.release(client, true);
    }
  }

  #writerOn(client: pg.PoolClient): Writer {
    let writer = this.#writers.get(client);
    if (writer === undefined) {
      const session = this.#sessionOn(client);
      const seen = new SeenReference(session, this.#known);
      writer = { queries: bindQueries(session, seen), seen };
      this.#writers.set(client, writer);
    }
    return writer;
  }
}

const ownError = (error: unknown): unknown =>
  storeError(error, (error as pg.DatabaseError | undefined)?.constraint, unavailableReason(error));
