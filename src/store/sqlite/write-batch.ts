import type Database from 'better-sqlite3';
import { isDamage } from './is-damage.ts';
import { retryWhileBusy } from './retry-while-busy.ts';

/** Bookings that one commit may carry: enough to share the disk's wait, few enough to keep answers prompt. */
const BATCH = 64;
const BUSY_LIMIT = 5000;

interface Waiting {
  readonly work: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface CommitHooks {
  /** Throws what all who share the commit are told, if it must not be. */
  readonly beforeCommit?: () => void;
  /** Called when those who wrote have been told. */
  readonly afterCommit?: () => void;
}

/**
 * One writer for one connection. What waits at the same moment shares a transaction and its one wait for the disk; each
 * piece of work that shares it has its own savepoint, so one that fails takes nothing of its neighbours with it. Nobody hears of success
 * before the commit.
 */
export class WriteBatch {
  readonly #database: Database.Database;
  readonly #waiting: Waiting[] = [];
  readonly #busyLimit: number;
  readonly #beforeCommit: () => void;
  readonly #afterCommit: () => void;
  readonly #begins: Database.Statement;
  readonly #saves: Database.Statement;
  readonly #releases: Database.Statement;
  readonly #commits: Database.Statement;
  #running: Promise<void> | undefined;

  /**
   * `busyLimit` is how long work waits for another process before it fails with SQLITE_BUSY, in milliseconds.
   */
  constructor(
    database: Database.Database,
    busyLimit = BUSY_LIMIT,
    { beforeCommit = () => {}, afterCommit = () => {} }: CommitHooks = {},
  ) {
    this.#database = database;
    // As a writer at once: a transaction that starts by reading could not always go on to write.
    this.#begins = database.prepare('BEGIN IMMEDIATE');
    this.#saves = database.prepare('SAVEPOINT work');
    this.#releases = database.prepare('RELEASE work');
    this.#commits = database.prepare('COMMIT');
    this.#busyLimit = busyLimit;
    this.#beforeCommit = beforeCommit;
    this.#afterCommit = afterCommit;
  }

  /** Resolves with the work's value after the commit that holds it. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing waits or runs. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        // The requests that arrived in this turn of the event loop come together before the transaction begins.
        await new Promise(setImmediate);
        if (await this.#begin()) await this.#commit(this.#waiting.splice(0, BATCH));
      }
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * Waits until no other process writes; what arrives meanwhile comes along. False if another one writes for too long: then all that
   * wait have been told, since batch after batch the last would wait for minutes.
   */
  async #begin(): Promise<boolean> {
    try {
      await retryWhileBusy(this.#busyLimit, () => this.#begins.run());
      return true;
    } catch (error) {
      this.#rollback();
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return false;
    }
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const answers: (() => void)[] = [];
    // Alone, work that fails ends its transaction, and needs nothing to go back to.
    const isShared = batch.length > 1;
    try {
      for (const { work, resolve, reject } of batch) {
        if (isShared) this.#saves.run();
        try {
          const value = await work();
          answers.push(() => resolve(value));
        } catch (error) {
          // A full disk or a failed read may have ended the whole transaction already: then the batch fails as one. So it does where the
          // file is damaged: what else was read of it may be wrong as well.
          if (!isShared || !this.#database.inTransaction || isDamage(error)) throw error;
          this.#database.exec('ROLLBACK TO work');
          answers.push(() => reject(error));
        }
        if (isShared) this.#releases.run();
      }
      this.#beforeCommit();
      this.#commits.run();
    } catch (error) {
      this.#rollback();
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const answer of answers) answer();
    this.#afterCommit();
  }

  /** What went wrong before is what the waiting are told; a transaction that stays open makes the next batch fail, and end it. */
  #rollback(): void {
    try {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // The disk is failing, and the first error has said so.
    }
  }
}
