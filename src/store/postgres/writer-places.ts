import type pg from 'pg';
import { ServiceError } from '../../vocabulary/errors.ts';
import { inTime } from '../../vocabulary/in-time.ts';

/** Units of work leave one in so many connections to reads. */
const READ_SHARE = 5;

/** How often the server is asked about a COMMIT that it has not answered. */
const ASK_EVERY_MS = 1000;

/** The longest time-out that Node has: the server has no time-out for a COMMIT either. */
const NEVER_MS = 2 ** 31 - 1;

/** SQLSTATE of a notice that is no warning. Source: PostgreSQL, appendix A, "Error Codes". */
const NO_WARNING = '00000';

const STANDBY_MISSING = 'a COMMIT waits for a synchronous standby (SyncRep)';
const NOT_ANSWERED = 'the server has not answered a COMMIT';

/** The COMMIT was sent and not answered: nobody knows whether it will take effect. Its connection keeps its place. */
export class UnansweredCommit extends ServiceError {
  constructor(reason: string) {
    super('Unavailable', undefined, { reason });
  }
}

/**
 * The connections that units of work may occupy. PostgreSQL does not notice that a client has gone while its COMMIT waits for a standby or for
 * the disk, so a client that dropped the connection and opened another would occupy one more of the server's with each call. Therefore a
 * connection keeps its place until the server has answered its COMMIT, or no longer knows it.
 */
export class WriterPlaces {
  readonly #pool: pg.Pool;
  readonly #limitMs: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];
  #unanswered = 0;
  #reason = NOT_ANSWERED;

  /** `limitMs`: how long a unit of work waits for a place, and for the answer to its COMMIT. */
  constructor(pool: pg.Pool, limitMs: number) {
    this.#pool = pool;
    this.#limitMs = limitMs;
    this.#free = pool.options.max - Math.ceil(pool.options.max / READ_SHARE);
  }

  /** A connection; throws at once if the server does not answer a COMMIT, because it would not answer the next one either. */
  async take(): Promise<pg.PoolClient> {
    if (this.#unanswered > 0) throw new ServiceError('Unavailable', undefined, { reason: this.#reason });
    if (this.#free > 0) this.#free--;
    else await this.#wait();
    try {
      return await this.#pool.connect();
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  release(client: pg.PoolClient, isBroken = false): void {
    client.release(isBroken);
    this.#leave();
  }

  /**
   * Throws UnansweredCommit if there is no answer in time, and then releases the connection itself. After a warning, the transaction is
   * committed, but not as durably as was asked for: somebody cancelled the wait for the standby. `pid`: the server's process.
   */
  async commit(client: pg.PoolClient, pid: unknown): Promise<void> {
    let isWarned = false;
    const onNotice = ({ code }: { readonly code?: string | undefined }) => {
      isWarned ||= code !== NO_WARNING;
    };
    client.on('notice', onNotice);
    const config: pg.QueryConfig & { readonly query_timeout: number } = { text: 'COMMIT', query_timeout: NEVER_MS };
    const answered = client.query(config).finally(() => client.off('notice', onNotice));
    const answer = await inTime(answered, this.#limitMs);
    if (answer === undefined) {
      this.#unanswered++;
      void this.#keep(client, pid, answered);
      throw new UnansweredCommit(this.#reason);
    }
    if (answer.command !== 'COMMIT') throw new Error('a query of the work failed, but the work continued');
    if (isWarned) throw new ServiceError('Unavailable', undefined, { reason: 'a COMMIT was not replicated' });
  }

  async #keep(client: pg.PoolClient, pid: unknown, answered: Promise<unknown>): Promise<void> {
    const isBroken = answered.then(
      () => false,
      () => true,
    );
    let isLost: boolean | undefined;
    while (isLost === undefined && !this.#pool.ending) {
      isLost = (await this.#isCommitting(pid)) ? await inTime(isBroken, ASK_EVERY_MS) : true;
    }
    if (--this.#unanswered === 0) this.#reason = NOT_ANSWERED;
    this.release(client, isLost ?? true);
  }

  /** Whether the server still has the process at work; true if it cannot be asked. */
  async #isCommitting(pid: unknown): Promise<boolean> {
    const question = `SELECT wait_event AS "waitEvent" FROM pg_stat_activity WHERE pid = $1 AND state = 'active'`;
    const [row] = await this.#pool.query<{ waitEvent: string | null }>(question, [pid]).then(
      ({ rows }) => rows,
      () => [{ waitEvent: null }],
    );
    if (row?.waitEvent === 'SyncRep') this.#reason = STANDBY_MISSING;
    return row !== undefined;
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<true>();
    const next = () => resolve(true);
    this.#waiting.push(next);
    if ((await inTime(promise, this.#limitMs)) !== undefined) return;
    const at = this.#waiting.indexOf(next);
    // The place may have become free at the same moment.
    if (at === -1) this.#leave();
    else this.#waiting.splice(at, 1);
    const reason = this.#unanswered > 0 ? this.#reason : 'all connections for writing are in use';
    throw new ServiceError('Unavailable', undefined, { reason });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
