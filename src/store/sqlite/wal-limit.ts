import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** Size at which the log begins anew, in bytes; SQLite means to do so at 4 MB. */
const LARGEST_LOG = 8 * 1024 * 1024;
/** How long to wait for the readers of all processes, in milliseconds: they take a turn of their event loop each. Holds up our own. */
const PATIENCE = 20;
/** Commits between two looks; twice as many after each try that a reader was in the way of, such as a backup. */
const FEWEST_COMMITS = 32;
const MOST_COMMITS = 4096;

/**
 * Keeps the write-ahead log from growing for as long as there is load. SQLite copies it into the database by itself, but begins it anew
 * only when a writer comes at a moment at which nobody reads: with several processes, or one that always reads, that moment may never come.
 */
export class WalLimit {
  readonly #database: Database.Database;
  readonly #log: string;
  readonly #beforeTry: () => void;
  #commits = 0;
  #interval = FEWEST_COMMITS;
  #isToBeEmptied = false;

  /** `beforeTry` ends what this process reads. */
  constructor(database: Database.Database, beforeTry: () => void) {
    this.#database = database;
    this.#log = `${database.name}-wal`;
    this.#beforeTry = beforeTry;
    // What a long reader let it grow to goes back to the disk.
    database.pragma(`journal_size_limit = ${LARGEST_LOG}`);
  }

  /** The log has what nobody may find any more: the next commit empties it, or the first at which no reader is in the way. */
  emptySoon(): void {
    this.#isToBeEmptied = true;
    this.#interval = FEWEST_COMMITS;
    this.#commits = FEWEST_COMMITS;
  }

  /** After a commit, outside of a transaction. */
  afterCommit(): void {
    if (++this.#commits < this.#interval) return;
    this.#commits = 0;
    if (!this.#isToBeEmptied && (statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0) <= LARGEST_LOG) return;
    this.#interval = this.#beginAnew() ? FEWEST_COMMITS : Math.min(this.#interval * 2, MOST_COMMITS);
  }

  /** False if somebody was in the way, or the disk is. */
  #beginAnew(): boolean {
    this.#beforeTry();
    try {
      this.#database.pragma(`busy_timeout = ${PATIENCE}`);
      // Readers that come meanwhile read from the database alone. Source: SQLite, "PRAGMA wal_checkpoint".
      const how = this.#isToBeEmptied ? 'TRUNCATE' : 'RESTART';
      const [result] = this.#database.pragma(`wal_checkpoint(${how})`) as readonly { readonly busy: number }[];
      if (result?.busy !== 0) return false;
      this.#isToBeEmptied = false;
      return true;
    } catch {
      // The next commit meets it, if it lasts.
      return false;
    } finally {
      this.#database.pragma('busy_timeout = 0');
    }
  }
}
