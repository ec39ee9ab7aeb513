import type Database from 'better-sqlite3';
import { KeptReference } from '../records/kept-reference.ts';
import type { ReferenceCache } from '../records/reference-cache.ts';
import { referenceVersion } from '../records/reference-records.ts';
import type { Session } from '../statement.ts';

/**
 * Runs the reads of one turn of the event loop in one transaction, because SQLite's locks cost more than most of our reads. To an outside
 * observer, calls that are answered in one turn happen at the same time, so they may see the same state of the database.
 */
export class ReadTurn implements ReferenceCache {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #readDataVersion: Database.Statement<[], number>;
  readonly #readVersion: Database.Statement<[], number>;
  #open = false;
  #dataVersion: number | undefined;
  #kept = new KeptReference(0);

  /** `session` is the session of the reads. */
  constructor(database: Database.Database, session: Session) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN');
    this.#commit = database.prepare('COMMIT');
    this.#readDataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#readVersion = database.prepare<[], number>(referenceVersion(session.db).compile().sql).pluck();
  }

  /** The cached data of the turn that was joined last. */
  current(): KeptReference {
    return this.#kept;
  }

  /** Call it before a read that awaits nothing but its own queries. Returns the cached reference data that the read sees. */
  join(): KeptReference {
    if (this.#open) return this.#kept;
    this.#begin.run();
    this.#open = true;
    setImmediate(() => this.end());
    try {
      this.#update();
    } catch (error) {
      this.end();
      throw error;
    }
    return this.#kept;
  }

  /** After this, the next read sees what has been committed meanwhile. */
  end(): void {
    if (!this.#open) return;
    this.#open = false;
    if (!this.#database.inTransaction) return;
    try {
      this.#commit.run();
    } catch {
      // This happens with a damaged file. The readers have already received the error, and nothing was written.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    }
  }

  /** data_version shows, at almost no cost, whether any other connection has committed. The reference data can have changed only then. */
  #update(): void {
    const dataVersion = this.#readDataVersion.get();
    if (dataVersion === this.#dataVersion) return;
    const version = this.#readVersion.get() ?? 0;
    if (version !== this.#kept.version) this.#kept = new KeptReference(version);
    this.#dataVersion = dataVersion;
  }
}
