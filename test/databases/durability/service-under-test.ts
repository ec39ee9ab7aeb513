import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DEPLOYED_NODE_OPTIONS } from '../../support/process/deployed-node-options.ts';

const PROGRAM = [...DEPLOYED_NODE_OPTIONS, fileURLToPath(new URL('../../../src/start.js', import.meta.url))];
const LIMIT = 20_000;

/** The service as an operator runs it, on a port that stays the same from one start to the next. */
export class ServiceUnderTest {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #program: readonly string[];
  #child: ChildProcess | undefined;
  #output = '';

  /** `program` is what Node starts, with its options. */
  constructor(
    folder: string,
    port: number,
    settings: Readonly<Record<string, string>>,
    program: readonly string[] = PROGRAM,
  ) {
    this.#folder = folder;
    this.port = port;
    this.#settings = settings;
    this.#program = program;
  }

  /** Milliseconds from the start of the process to the log line that reports its state. */
  async start(until: 'ready' | 'listening' = 'ready'): Promise<number> {
    const { PATH = '' } = process.env;
    const began = performance.now();
    const child = spawn(process.execPath, this.#program, {
      cwd: this.#folder,
      env: { PATH, TZ: 'UTC', PORT: String(this.port), DEMO_DATA: 'true', LOG_LEVEL: 'info', ...this.#settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        // Only the end: hundreds of thousands of bookings leave one line each.
        this.#output = (this.#output + text).slice(-20_000);
        if (text.includes(`"msg":"${until}"`)) child.emit('ready');
      });
    }
    const late = AbortSignal.timeout(LIMIT);
    const ended = once(child, 'close', { signal: late }).then(() => {
      throw new Error(`the service ended before it was ready:\n${this.#output}`);
    });
    ended.catch(() => {});
    await Promise.race([once(child, 'ready', { signal: late }), ended]);
    return performance.now() - began;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  /** SIGTERM; resolves with the exit code and how long it took, in milliseconds. */
  async stop(): Promise<{ code: number | null; milliseconds: number }> {
    const child = this.#child;
    if (child?.pid === undefined) throw new Error('the service was not started');
    const began = performance.now();
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    const [code] = await closed;
    return { code, milliseconds: performance.now() - began };
  }

  /** The end of what it printed. */
  get output(): string {
    return this.#output;
  }
}
