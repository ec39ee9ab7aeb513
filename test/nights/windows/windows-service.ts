import type { Wine, WineProcess } from './wine.ts';

const START_LIMIT = 300_000;
/** What docs/operators/windows.md promises. */
const STOP_LIMIT = 10_000;

/** The service on Wine, with the same port and database from start to start. */
export class WindowsService {
  readonly port: number;
  readonly #wine: Wine;
  readonly #settings: Readonly<Record<string, string>>;
  #process: WineProcess | undefined;

  constructor(wine: Wine, port: number, settings: Readonly<Record<string, string>>) {
    this.#wine = wine;
    this.port = port;
    this.#settings = settings;
  }

  /** Resolves when the log says that the service is ready. */
  async start(): Promise<void> {
    const started = this.#wine.node(['src/start.js'], { PORT: String(this.port), ...this.#settings });
    this.#process = started;
    const end = performance.now() + START_LIMIT;
    while (!started.output().includes('"msg":"ready"')) {
      if (started.child.exitCode !== null || performance.now() > end) {
        throw new Error(`the service did not start:\n${started.output()}`);
      }
      await new Promise((resume) => setTimeout(resume, 50));
    }
  }

  /** As when its process is ended in the task manager. */
  async kill(): Promise<void> {
    this.#process?.child.kill('SIGKILL');
    await this.#process?.ended;
  }

  /** Ctrl-C, which is what Wine makes of SIGINT; throws unless the service ends in order and in time. Returns the milliseconds. */
  async stop(): Promise<number> {
    const running = this.#process;
    if (running === undefined) throw new Error('the service was not started');
    const began = performance.now();
    running.child.kill('SIGINT');
    const code = await running.ended;
    const milliseconds = Math.round(performance.now() - began);
    if (code !== 0 || !running.output().includes('"msg":"stopped"') || milliseconds > STOP_LIMIT) {
      throw new Error(`the service ended with ${code} after ${milliseconds} ms:\n${running.output().slice(-2000)}`);
    }
    return milliseconds;
  }
}
