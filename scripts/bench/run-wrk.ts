import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface WrkLoad {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The request that load.lua sends: see benchRequest. */
  readonly file: string;
  /** Bookings sent so far: each load takes the slots after them. */
  readonly bookings: number;
  /** `doctors` takes the doctors in turn, as patients come; otherwise a doctor's days are filled one after the other. */
  readonly spread?: 'doctors';
  /** The CPU that wrk runs on, if the server has another one to itself. */
  readonly cpu?: number;
}

export interface WrkFigures {
  readonly requests: number;
  readonly seconds: number;
  /** Of all answers, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Answers with another status than 2xx or 3xx, broken connections, and calls that were late. */
  readonly errors: number;
  /** Calls that took more than wrk's 2 s, as they do on a busy machine. */
  readonly late: number;
}

const SCRIPT = join(import.meta.dirname, 'load.lua');

/** The first day of the bookings, in seconds since 1970: the day after tomorrow, so that it is in the future in every time zone. */
export const firstDay = (): number => Math.floor(Date.now() / 86_400_000) * 86_400 + 2 * 86_400;

/** Calls a server on this machine with wrk for a number of seconds. */
export async function runWrk(load: WrkLoad): Promise<WrkFigures> {
  const { port, connections, seconds, file, bookings, spread, cpu } = load;
  const pin = cpu === undefined ? [] : ['taskset', '-c', String(cpu)];
  const [command = '', ...args] = [...pin, 'wrk', '-t1', `-c${connections}`, `-d${seconds}`, '-s', SCRIPT];
  const wrk = spawn(command, [...args, `http://127.0.0.1:${port}`], {
    env: {
      ...process.env,
      BENCH_FILE: file,
      BENCH_START: String(bookings),
      BENCH_FIRST_DAY: String(firstDay()),
      BENCH_SPREAD: spread,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  wrk.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await new Promise((resolve) => wrk.once('close', resolve));
  const r = JSON.parse(/^BENCH (.*)$/m.exec(output)?.[1] ?? '{}') as Record<string, number>;
  const { requests = 0, micros = 1, p50 = 0, p99 = 0, max = 0 } = r;
  const errors = ['status', 'connect', 'read', 'write', 'timeout'].reduce((sum, kind) => sum + (r[kind] ?? 0), 0);
  return {
    requests,
    seconds: micros / 1e6,
    p50: p50 / 1000,
    p99: p99 / 1000,
    longest: max / 1000,
    errors,
    late: r.timeout ?? 0,
  };
}
