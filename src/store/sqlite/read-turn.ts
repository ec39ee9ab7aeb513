import { performance } from 'node:perf_hooks';
import type Database from 'better-sqlite3';
import { CachedReferenceData, type ReferenceCache } from '../queries/reference-cache.ts';
import { referenceVersion } from '../queries/reference-queries.ts';
import type { Session } from '../session.ts';
import { bindQueries, type Queries } from '../store.ts';

const { nodeTiming } = performance;

/**
 * The number of the event loop's current turn. It increases just before the loop takes in what has arrived; immediates and timers run after
 * that. Source: libuv, `uv_run`.
 */
const currentTurn = (): number => nodeTiming.uvMetricsInfo.loopCount;

/**
 * Runs the reads of one turn of the event loop in one transaction, because SQLite's locks cost more than most of our reads. All calls that
 * the loop takes in at once had arrived before the transaction began, so they may see the same state of the database. A call that arrives
 * later may not: its caller may know of a newer state from another process. Also caches the reference data for these reads, because the
 * transaction shows one version of it.
 */
export class ReadTurn implements ReferenceCache {
  readonly queries: Queries;
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #readDataVersion: Database.Statement<[], number>;
  readonly #readVersion: Database.Statement<[], number>;
  #isOpen = false;
  /** The turn in which the transaction began. */
  #turn = 0;
  #dataVersion: number | undefined;
  #cached = new CachedReferenceData(0);

  /** `session` is the session of the reads. */
  constructor(database: Database.Database, session: Session) {
    session.referenceCache = this;
    this.queries = bindQueries(session);
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
    const turn = currentTurn();
    // A transaction that began in an immediate or a timer is still open when the next turn begins, because the immediate that ends it runs
    // late in that turn.
    if (this.#turn !== turn) this.end();
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    this.#turn = turn;
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

  close(): void {
    this.end();
    this.#database.close();
  }

  /** data_version shows, at almost no cost, whether any other connection has committed. The reference data can have changed only then. */
  #updateCache(): void {
    const dataVersion = this.#readDataVersion.get();
    if (dataVersion === this.#dataVersion) return;
    this.#cached = this.#cached.ofVersion(this.#readVersion.get() ?? 0);
    this.#dataVersion = dataVersion;
  }
}
