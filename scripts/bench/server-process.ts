import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DEPLOYED_NODE_OPTIONS } from '../../test/support/process/deployed-node-options.ts';

/** The service as deploy/systemd starts it. */
export const SERVICE: readonly string[] = [
  process.execPath,
  ...DEPLOYED_NODE_OPTIONS,
  join(import.meta.dirname, '../../src/start.js'),
];

/** A server that is measured. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Until it was ready. */
  readonly seconds: number;
  /** What V8 has collected so far, of a process started with `--trace-gc`. */
  readonly collected: Readonly<Collected>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

interface Collected {
  /** MB that were allocated between the collections. */
  allocated: number;
  /** Collections of the whole heap. */
  full: number;
}

/** Reads what `--trace-gc` prints: `… ms: Scavenge 34.5 (66.1) -> 30.1 (66.2) MB, …`. */
function collections(output: NodeJS.ReadableStream): Collected {
  const sums = { allocated: 0, full: 0 };
  let before = 0;
  createInterface(output).on('line', (line) => {
    const [, kind, from, to] = /(Scavenge|Mark-Compact)[^.]*? ([\d.]+) \([\d.]+\) -> ([\d.]+) /.exec(line) ?? [];
    if (kind === undefined) return;
    sums.allocated += Math.max(0, Number(from) - before);
    before = Number(to);
    if (kind === 'Mark-Compact') sums.full++;
  });
  return sums;
}

/** Starts a program with an environment of its own, and waits for the line that says that it listens. */
export async function startServer(
  [program = '', ...parameters]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const began = performance.now();
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const child = spawn(program, parameters, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdout.setEncoding('utf8');
  for (let output = ''; !/listening|"msg":"ready"/.test(output); ) {
    const [text] = await Promise.race([once(child.stdout, 'data'), ended]);
    if (typeof text !== 'string' || child.exitCode !== null) throw new Error(`${program} ended before it was ready`);
    output += text;
  }
  return {
    child,
    collected: collections(child.stdout),
    pid: child.pid as number,
    seconds: (performance.now() - began) / 1000,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}

/** Settings of a service on SQLite that measures nothing but itself. Its limit of calls is counted, and never reached. */
export const serviceSettings = (port: number, file: string): Readonly<Record<string, string>> => ({
  PORT: String(port),
  DATABASE_URL: `sqlite:${file}`,
  DEMO_DATA: 'true',
  SMS_GATEWAY: 'off',
  RATE_LIMIT: String(10 ** 8),
});

/** A folder that is gone when the process ends. */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
