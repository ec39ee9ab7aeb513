import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cleanUpLater } from '../clean-up.ts';
import { COMPILE_CACHE } from './compile-cache.ts';

export const SERVICE = runByNode(fileURLToPath(new URL('../../../src/main.ts', import.meta.url)));
/** Longer than any start or stop takes on a busy machine: on Wine, over a minute has been seen. */
const LIMIT = 300_000;

/** A program with its parameters. */
type Command = readonly [string, ...string[]];

/** In a terminal, for which the service prints its message. */
export const IN_TERMINAL: Command = ['script', '-qec', SERVICE.join(' '), '/dev/null'];

export function runByNode(main: string): Command {
  return [process.execPath, main];
}

/** The service, with at most this many file descriptors. */
export const serviceWithDescriptors = (most: number): Command => [
  'sh',
  '-c',
  `ulimit -n ${most} && exec "$0" "$@"`,
  ...SERVICE,
];

/** The service in its own process, as started from a shell. */
export interface ServiceProcess {
  readonly processId: number;
  /** True until it has ended, for whatever reason. */
  isAlive(): boolean;
  /** All of standard output so far. */
  output(): string;
  /** All of standard error so far. */
  errors(): string;
  /** Lines of the log so far. */
  logLines(): readonly Record<string, unknown>[];
  /** Resolves when standard output contains the text, as many times as requested. */
  printed(text: string, times?: number): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Exit code, null if a signal ended the process. */
  exited(): Promise<number | null>;
  /** SIGTERM, unless it has already ended; resolves with the exit code. Also happens at the end of the test that started it. */
  stop(): Promise<number | null>;
}

export interface ReadyService extends ServiceProcess {
  /** Endpoint URL, as printed. */
  readonly endpoint: string;
  readonly port: number;
}

/** Starts the service, or another program instead, in a folder with only these settings, where it may create a new database. */
export function startProcess(
  folder: string,
  settings: Readonly<Record<string, string>>,
  [program, ...parameters]: Command = SERVICE,
): ServiceProcess {
  const { PATH = '', TZ = 'UTC', NODE_OPTIONS = '' } = process.env;
  const child: ChildProcess = spawn(program, parameters, {
    cwd: folder,
    env: { PATH, TZ, NODE_OPTIONS, NODE_COMPILE_CACHE: COMPILE_CACHE, PORT: '0', DATABASE_CREATE: 'true', ...settings },
  });
  let output = '';
  let errors = '';
  let ended = false;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    child.emit('output');
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  // The parent process may fail; the service must not outlive it.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const closed = once(child, 'close').then(([code]) => {
    process.off('exit', kill);
    ended = true;
    child.emit('output');
    return code as number | null;
  });

  async function printed(text: string, times = 1): Promise<void> {
    const late = AbortSignal.timeout(LIMIT);
    while (output.split(text).length <= times) {
      if (ended) throw new Error(`the service ended before it printed ${text}:\n${output}${errors}`);
      await once(child, 'output', { signal: late });
    }
  }

  return {
    processId: child.pid ?? 0,
    isAlive: () => !ended,
    output: () => output,
    errors: () => errors,
    logLines: () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
    printed,
    signal: (signal) => void child.kill(signal),
    exited: () => closed,
    stop: cleanUpLater(async () => {
      if (!ended) child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), LIMIT);
      try {
        return await closed;
      } finally {
        clearTimeout(late);
      }
    }),
  };
}

/** Starts the service with demo data, and resolves when it is ready. */
export async function startReady(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  command: Command = SERVICE,
): Promise<ReadyService> {
  const service = startProcess(folder, { DEMO_DATA: 'true', ...settings }, command);
  await service.printed('"msg":"ready"');
  const endpoint = /"endpoint":"([^"]+)"/.exec(service.output())?.[1] ?? '';
  return { ...service, endpoint, port: Number(new URL(endpoint).port) };
}
