import type Database from 'better-sqlite3';

/**
 * The reads of one turn of the event loop in one transaction: SQLite's locks cost more than most of our reads. Calls that are
 * answered in one turn happen at once, as far as anybody outside can tell, so they may see one state of the database.
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

  /** Before a read, whose work then waits for nothing but its queries. Gives the number of the transaction. */
  join(): number {
    if (this.#open) return this.#number;
    this.#begin.run();
    this.#open = true;
    setImmediate(() => this.end());
    return ++this.#number;
  }

  /** The next read sees what was committed meanwhile. */
  end(): void {
    if (!this.#open) return;
    this.#open = false;
    if (!this.#database.inTransaction) return;
    try {
      this.#commit.run();
    } catch {
      // Of a damaged file; whoever read has been told, and nothing was written.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    }
  }
}
