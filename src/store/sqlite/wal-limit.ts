import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { firstValue } from './database-file.ts';

/** Size from which the log is restarted. SQLite itself tries to do so at 4 MB. */
const LARGEST_LOG_BYTES = 8 * 1024 * 1024;
/**
 * How long to wait for the readers of all processes: each takes one turn of its event loop. The wait blocks our own event
 * loop.
 */
const PATIENCE_MS = 20;
/** Commits between two checks; doubled after each attempt that a reader, such as a backup, prevented. */
const FEWEST_COMMITS = 32;
const MOST_COMMITS = 4096;

/**
 * Keeps the write-ahead log from growing without limit under load. SQLite copies it into the database by itself, but restarts the log only
 * if a write happens while nobody reads. With several processes, or with one that always reads, that moment may never come.
 */
export class WalLimit {
  readonly #database: DatabaseSync;
  readonly #log: string;
  readonly #beforeTry: () => void;
  #commits = 0;
  #interval = FEWEST_COMMITS;
  #isToBeEmptied = false;

  /** `beforeTry` ends this process's reads. */
  constructor(database: DatabaseSync, beforeTry: () => void) {
    this.#database = database;
    this.#log = `${database.location()}-wal`;
    this.#beforeTry = beforeTry;
    // If a long reader made the log grow beyond this size, the space is returned to the disk.
    database.exec(`PRAGMA journal_size_limit = ${LARGEST_LOG_BYTES}`);
  }

  /** The log contains data that must become unrecoverable: the next commit empties it, or else the first one that no reader prevents. */
  emptySoon(): void {
    this.#isToBeEmptied = true;
    this.#interval = FEWEST_COMMITS;
    this.#commits = FEWEST_COMMITS;
  }

  /** Call it after a commit, outside a transaction. */
  afterCommit(): void {
    if (++this.#commits < this.#interval) return;
    this.#commits = 0;
    if (!this.#isToBeEmptied && (statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0) <= LARGEST_LOG_BYTES)
      return;
    this.#interval = this.#beginAnew() ? FEWEST_COMMITS : Math.min(this.#interval * 2, MOST_COMMITS);
  }

  /** Returns false if a reader, a writer or a disk error prevented it. */
  #beginAnew(): boolean {
    this.#beforeTry();
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
      // Readers that start meanwhile read from the database file only. Source: SQLite, "PRAGMA wal_checkpoint".
      const how = this.#isToBeEmptied ? 'TRUNCATE' : 'RESTART';
      // Its first column says whether somebody prevented it.
      if (firstValue(this.#database, `PRAGMA wal_checkpoint(${how})`) !== 0) return false;
      this.#isToBeEmptied = false;
      return true;
    } catch {
      // If the problem persists, the next commit will fail because of it.
      return false;
    } finally {
      this.#database.exec('PRAGMA busy_timeout = 0');
    }
  }
}
