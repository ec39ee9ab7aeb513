import type Database from 'better-sqlite3';
import { CachedReferenceData } from '../records/cached-reference-data.ts';
import type { ReferenceCache } from '../records/reference-cache.ts';
import { referenceVersion } from '../records/reference-records.ts';
import type { Session } from '../statement.ts';

/**
 * Runs the reads of one turn of the event loop in one transaction, because SQLite's locks cost more than most of our reads. To an outside
 * observer, calls that are answered in one turn happen at the same time, so they may see the same state of the database. Also caches the
 * reference data for these reads, because the transaction shows one version of it.
 */
export class ReadTurn implements ReferenceCache {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #readDataVersion: Database.Statement<[], number>;
  readonly #readVersion: Database.Statement<[], number>;
  #isOpen = false;
  #dataVersion: number | undefined;
  #cached = new CachedReferenceData(0);

  /** `session` is the session of the reads. */
  constructor(database: Database.Database, session: Session) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN');
    this.#commit = database.prepare('COMMIT');
    this.#readDataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#readVersion = database.prepare<[], number>(referenceVersion(session.db).compile().sql).pluck();
  }

  /** The cached reference data of the version that this turn's reads see. */
  data(): CachedReferenceData {
    return this.#cached;
  }

  /** Call it before a read, which must await nothing but its own queries. Begins the turn's transaction if that has not been done. */
  begin(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    setImmediate(() => this.end());
    try {
      this.#updateCache();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** After this, the next read sees what has been committed meanwhile. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (!this.#database.inTransaction) return;
    try {
      this.#commit.run();
    } catch {
      // This happens with a damaged file. The readers have already received the error, and nothing was written.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    }
  }

  /** data_version shows, at almost no cost, whether any other connection has committed. The reference data can have changed only then. */
  #updateCache(): void {
    const dataVersion = this.#readDataVersion.get();
    if (dataVersion === this.#dataVersion) return;
    this.#cached = this.#cached.ofVersion(this.#readVersion.get() ?? 0);
    this.#dataVersion = dataVersion;
  }
}
