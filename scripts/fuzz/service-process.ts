import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How long a start may take, in milliseconds. */
const START_LIMIT = 20_000;

/** The service in a process of its own, with demo data in a new database of its own. */
export interface ServiceProcess {
  readonly port: number;
  readonly pid: number;
  readonly databaseFile: string;
  /** True until the process has ended, however it did. */
  isAlive(): boolean;
  /** What the process has written to standard output since its start, line by line. */
  outputLines(): readonly string[];
  /** What it has written to standard error. */
  errorOutput(): string;
  /** Resident memory in bytes; 0 where /proc is not to be had. */
  residentMemory(): number;
  /** Milliseconds that the main thread, which runs the event loop, has run so far; 0 where /proc is not to be had. */
  mainThreadTime(): number;
  /** Ends it by SIGTERM and takes its database away; gives the exit code. */
  stop(): Promise<number | null>;
}

const MAIN = new URL('../../src/main.ts', import.meta.url);

/** Starts `main` (the service's own, unless another is named) on a free port of loopback and waits until it is ready. */
export async function startServiceProcess(
  environment: Readonly<Record<string, string>> = {},
  main: URL = MAIN,
): Promise<ServiceProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-'));
  const databaseFile = join(folder, 'service.db');
  const child = spawn(process.execPath, [main.pathname], {
    env: {
      PATH: process.env.PATH ?? '',
      TZ: process.env.TZ ?? '',
      DATABASE_URL: `sqlite:${databaseFile}`,
      PORT: '0',
      DEMO_DATA: 'true',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Whoever started it may fail; it must not outlive them.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exited = once(child, 'exit');
  const port = await readyPort(
    child,
    () => output,
    () => errors,
  );
  const pid = child.pid as number;
  return {
    port,
    pid,
    databaseFile,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    outputLines: () => output.split('\n').filter((line) => line !== ''),
    errorOutput: () => errors,
    residentMemory: () => residentMemoryOf(pid),
    mainThreadTime: () => mainThreadTimeOf(pid),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}

function readyPort(child: ChildProcess, output: () => string, errors: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => fail('was not ready in time'), START_LIMIT);
    const fail = (how: string) => {
      clearTimeout(limit);
      child.kill('SIGKILL');
      reject(new Error(`the service ${how}: ${errors() || output()}`));
    };
    const ended = (code: number | null) => fail(`ended with ${code}`);
    child.once('exit', ended);
    child.stdout?.on('data', () => {
      const port = /Service page +http:\/\/[^/]*:(\d+)\//.exec(output())?.[1];
      if (port === undefined) return;
      clearTimeout(limit);
      child.off('exit', ended);
      resolve(Number(port));
    });
  });
}

function residentMemoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function mainThreadTimeOf(pid: number): number {
  try {
    // Nanoseconds on a processor, then nanoseconds of waiting for one.
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
