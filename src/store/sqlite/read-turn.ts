import { performance } from 'node:perf_hooks';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type KnownReference, SeenReference } from '../queries/seen-reference.ts';
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
 * later may not: its caller may know of a newer state from another process.
 */
export class ReadTurn {
  readonly queries: Queries;
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #readDataVersion: StatementSync;
  readonly #seen: SeenReference;
  #isOpen = false;
  /** The turn in which the transaction began. */
  #turn = 0;
  #dataVersion: unknown;

  /** `session` is the session of the reads. */
  constructor(database: DatabaseSync, session: Session, known: KnownReference) {
    this.#seen = new SeenReference(session, known);
    this.queries = bindQueries(session, this.#seen);
    this.#database = database;
    this.#begin = database.prepare('BEGIN');
    this.#commit = database.prepare('COMMIT');
    this.#readDataVersion = database.prepare('PRAGMA data_version');
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
      this.#noteCommits();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** After this, the next read sees what has been committed meanwhile. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (!this.#database.isTransaction) return;
    try {
      this.#commit.run();
    } catch {
      // This happens with a damaged file. The readers have already received the error, and nothing was written.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    }
  }

  close(): void {
    this.end();
    this.#database[Symbol.dispose]();
  }

  /** data_version shows, at almost no cost, whether any other connection has committed. The reference data can have changed only then. */
  #noteCommits(): void {
    const dataVersion = this.#readDataVersion.get()?.data_version;
    if (dataVersion !== this.#dataVersion) this.#seen.forget();
    this.#dataVersion = dataVersion;
  }
}
