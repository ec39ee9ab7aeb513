import type pg from 'pg';

/** How often the server is asked, so that the drift between its clock and the process's does not add up; ms. */
const MEASURE_EVERY_MS = 60_000;

/**
 * The clock of the server, which all processes share, counted on by this process's monotonic clock. So a wrong clock of this machine, or one that
 * is set meanwhile, changes nothing.
 */
export class ServerClock {
  /** By how much it is ahead of the monotonic clock. */
  #aheadMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #stopwatch: () => number;

  /** `stopwatch`: monotonic milliseconds. */
  constructor(stopwatch = () => performance.now()) {
    this.#stopwatch = stopwatch;
  }

  /** Whole milliseconds since the epoch. */
  readonly now = (): number => Math.floor(this.#stopwatch() + (this.#aheadMs ?? Number.NaN));

  /** Asks the server. A slow answer says little about when it was given, so what it does not disprove stays. */
  async measure(on: Pick<pg.Pool | pg.PoolClient, 'query'>): Promise<void> {
    const asked = this.#stopwatch();
    const { rows } = await on.query<{ time: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS "time"',
    );
    const time = rows[0]?.time ?? Number.NaN;
    const [least, most] = [time - this.#stopwatch(), time - asked];
    this.#aheadMs = Math.min(Math.max(this.#aheadMs ?? (least + most) / 2, least), most);
  }

  /** Measures whenever a connection is made, which may lead to another server, and every minute, until `stop` is called. */
  keepMeasuring(pool: pg.Pool): void {
    const measure = (on: pg.Pool | pg.PoolClient) => void this.measure(on).catch(() => {});
    pool.on('connect', measure);
    this.#timer = setInterval(measure, MEASURE_EVERY_MS, pool).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
