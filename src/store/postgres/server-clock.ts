import type pg from 'pg';

/** How often the server is asked, so that the drift between its clock and the process's does not add up; ms. */
const MEASURE_EVERY_MS = 60_000;

/** By so much, this machine's clock moves against the stopwatch only if it is set, or if the machine was suspended. */
const NOTICED_MS = 1000;

/**
 * The clock of the server, which all processes share, counted on by this process's stopwatch. So a wrong clock of this machine, or one that is
 * set meanwhile, changes nothing.
 */
export class ServerClock {
  /** By how much it is ahead of the stopwatch. */
  #aheadMs: number | undefined;
  /** The last measurement: by the stopwatch, and by how much this machine's clock was ahead of the stopwatch. */
  #measured = { on: 0, machineAheadMs: 0 };
  #timer: NodeJS.Timeout | undefined;
  readonly #stopwatch: () => number;
  readonly #machineClock: () => number;

  /** `stopwatch`: monotonic milliseconds, which stand still while the machine is suspended. */
  constructor(stopwatch = () => performance.now(), machineClock = () => Date.now()) {
    this.#stopwatch = stopwatch;
    this.#machineClock = machineClock;
  }

  /** Whole milliseconds since the epoch. */
  readonly now = (): number => Math.floor(this.#stopwatch() + (this.#aheadMs ?? Number.NaN));

  get mustMeasure(): boolean {
    const on = this.#stopwatch();
    const movedMs = this.#machineClock() - on - this.#measured.machineAheadMs;
    return on - this.#measured.on >= MEASURE_EVERY_MS || Math.abs(movedMs) >= NOTICED_MS;
  }

  /** Asks the server. A slow answer says little about when it was given, so what it does not disprove stays. */
  async measure(server: Pick<pg.Pool | pg.PoolClient, 'query'>): Promise<void> {
    const asked = this.#stopwatch();
    this.#measured = { on: asked, machineAheadMs: this.#machineClock() - asked };
    const { rows } = await server.query<{ time: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS "time"',
    );
    const time = rows[0]?.time ?? Number.NaN;
    const [least, most] = [time - this.#stopwatch(), time - asked];
    this.#aheadMs = Math.min(Math.max(this.#aheadMs ?? (least + most) / 2, least), most);
  }

  /** Until `stop` is called. A new connection may lead to another server. */
  keepMeasuring(pool: pg.Pool): void {
    const measure = (server: pg.Pool | pg.PoolClient) => void this.measure(server).catch(() => {});
    pool.on('connect', measure);
    this.#timer = setInterval(() => this.mustMeasure && measure(pool), NOTICED_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
