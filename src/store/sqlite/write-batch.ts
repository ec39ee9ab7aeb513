import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDamage, retryWhileBusy } from './sqlite-errors.ts';

/** Maximum number of units of work per commit: enough to share the wait for the disk, few enough to keep answers prompt. */
const BATCH = 64;
/**
 * Maximum number of turns of the event loop for which a batch waits for more units of work. If each turn brings only one, a longer wait
 * gains little.
 */
const MOST_TURNS = 8;
/**
 * Number of shared batches that have savepoints after a unit of work has failed after a change. Savepoints cost less than running a batch
 * again, which a caller could otherwise provoke in every other batch.
 */
const CAREFUL_BATCHES = 8;

interface Waiting {
  readonly work: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface TransactionHooks {
  /** Called when a transaction has begun. */
  readonly afterBegin?: () => void;
  /**
   * Throws if the database cannot be trusted. Called before the units of work of a batch, and before its commit. All of their callers
   * receive the error.
   */
  readonly requireSound?: () => void;
  /** Called after the writers have received their results. */
  readonly afterCommit?: () => void;
}

/**
 * The only writer of a connection. Units of work that arrive together, or in successive turns of the event loop, share a transaction, and
 * so wait for the disk only once. Nobody is told of success before the commit.
 *
 * A failure does not undo any other unit of work: if one fails after a change, the whole batch runs again, with a savepoint for each of
 * them. Savepoints in every batch would make SQLite copy each page that is changed.
 */
export class WriteBatch {
  readonly #database: DatabaseSync;
  readonly #waiting: Waiting[] = [];
  readonly #busyLimitMs: number;
  readonly #hooks: Required<TransactionHooks>;
  readonly #beginStatement: StatementSync;
  readonly #savepointStatement: StatementSync;
  readonly #releaseStatement: StatementSync;
  readonly #commitStatement: StatementSync;
  /** The number of rows that the connection has inserted, changed or deleted. */
  readonly #totalChanges: StatementSync;
  #running: Promise<void> | undefined;
  /** How many more shared batches have savepoints. */
  #carefulBatches = 0;

  /** `busyLimitMs` is how long a unit of work waits for another process before it fails with SQLITE_BUSY. */
  constructor(database: DatabaseSync, busyLimitMs: number, hooks: TransactionHooks = {}) {
    const nothing = () => {};
    this.#hooks = { afterBegin: nothing, requireSound: nothing, afterCommit: nothing, ...hooks };
    this.#database = database;
    // Starts as a writer immediately: a transaction that starts with a read cannot always be upgraded to a write.
    this.#beginStatement = database.prepare('BEGIN IMMEDIATE');
    this.#savepointStatement = database.prepare('SAVEPOINT work');
    this.#releaseStatement = database.prepare('RELEASE work');
    this.#commitStatement = database.prepare('COMMIT');
    this.#totalChanges = database.prepare('SELECT total_changes() AS total');
    this.#busyLimitMs = busyLimitMs;
  }

  /** Resolves with the value of `work` after the commit that contains it. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing is waiting or running. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        await this.#collect();
        if (await this.#begin()) await this.#commit(this.#waiting.splice(0, BATCH));
      }
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * Collects what arrives in this turn of the event loop, and continues as long as each turn brings more: a larger batch costs less per unit
   * of work.
   */
  async #collect(): Promise<void> {
    for (let turns = 0, collected = 0; turns < MOST_TURNS && collected < this.#waiting.length; turns++) {
      collected = this.#waiting.length;
      await new Promise(setImmediate);
      if (this.#waiting.length >= BATCH) return;
    }
  }

  /**
   * Waits until no other process writes; units of work that arrive meanwhile join the batch. Returns false if another process writes for
   * too long. All that were waiting have failed then, because after several such batches the last would have waited for minutes.
   */
  async #begin(): Promise<boolean> {
    try {
      await retryWhileBusy(this.#busyLimitMs, () => this.#beginStatement.run());
      this.#hooks.afterBegin();
      return true;
    } catch (error) {
      this.#rollback();
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return false;
    }
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const answers: (() => void)[] = [];
    // If a unit of work is alone in its transaction, its failure ends the transaction, so it needs no savepoint.
    const isShared = batch.length > 1;
    const hasSavepoints = isShared && this.#carefulBatches > 0;
    if (hasSavepoints) this.#carefulBatches--;
    try {
      this.#hooks.requireSound();
      for (const waiting of batch) {
        const changesBefore = this.#totalChanges.get()?.total;
        if (hasSavepoints) this.#savepointStatement.run();
        try {
          const value = await waiting.work();
          answers.push(() => waiting.resolve(value));
        } catch (error) {
          // A full disk or a failed read may have ended the whole transaction already, in which case the batch fails as a whole. The same
          // applies if the file is damaged, because other data read from it may be wrong as well.
          if (!isShared || !this.#database.isTransaction || isDamage(error)) throw error;
          if (this.#totalChanges.get()?.total !== changesBefore) {
            if (!hasSavepoints) return this.#repeatCarefully(batch);
            this.#carefulBatches = CAREFUL_BATCHES;
            this.#database.exec('ROLLBACK TO work');
          }
          answers.push(() => waiting.reject(error));
        }
        if (hasSavepoints) this.#releaseStatement.run();
      }
      this.#hooks.requireSound();
      this.#commitStatement.run();
    } catch (error) {
      this.#rollback();
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const answer of answers) answer();
    this.#hooks.afterCommit();
  }

  #repeatCarefully(batch: readonly Waiting[]): void {
    this.#rollback();
    this.#carefulBatches = CAREFUL_BATCHES;
    this.#waiting.unshift(...batch);
  }

  /** The waiting callers receive the original error; if the transaction stays open, the next batch fails and ends it. */
  #rollback(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // The disk is failing, which the first error has already reported.
    }
  }
}
