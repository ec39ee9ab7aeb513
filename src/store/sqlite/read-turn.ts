import type Database from 'better-sqlite3';

/**
 * Runs the reads of one turn of the event loop in one transaction, because SQLite's locks cost more than most of our reads. Calls that
 * are answered in one turn happen at the same time, as far as anyone outside can tell, so they may see the same state of the database.
 */
export class ReadTurn {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  #open = false;
  #number = 0;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN');
    this.#commit = database.prepare('COMMIT');
  }

  /** Call it before a read, whose work then awaits nothing but its queries. Returns the number of the transaction. */
  join(): number {
    if (this.#open) return this.#number;
    this.#begin.run();
    this.#open = true;
    setImmediate(() => this.end());
    return ++this.#number;
  }

  /** After this, the next read sees what has been committed meanwhile. */
  end(): void {
    if (!this.#open) return;
    this.#open = false;
    if (!this.#database.inTransaction) return;
    try {
      this.#commit.run();
    } catch {
      // This happens with a damaged file; the readers have already received the error, and nothing was written.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    }
  }
}
