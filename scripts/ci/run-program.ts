import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ending, Step } from './run-steps.ts';

/** Milliseconds that a step may take: far more than the longest takes on a quiet machine. */
const LIMIT = 1_500_000;
/** Milliseconds between the request to end and the kill. */
const GRACE = 10_000;

/** Reports how much processor time the program took, which Node cannot measure for a child. */
const TIMED = '"$@"; code=$?; times >"$TIMES"; exit $code';

const running = new Set<ChildProcess>();

/** Runs the program of a step in its own process group, so that nothing of it is left behind. Its output is written to a file in `folder`. */
export async function runProgram(step: Step, folder: string): Promise<Ending> {
  const file = join(folder, step.name.replaceAll(/\W+/g, '-'));
  const timesFile = `${file}.times`;
  const output = openSync(file, 'w');
  // sh, because bash warns about a locale that the machine does not have.
  const variables = Object.entries(step.environment ?? {}).map(([name, value]) => `${name}=${value}`);
  const child = spawn('sh', ['-c', TIMED, 'sh', 'env', ...variables, ...step.command, ...(step.options ?? [])], {
    env: { ...process.env, TIMES: timesFile },
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  running.add(child);
  let ended = '';
  const late = setTimeout(() => {
    ended = `Ended after ${LIMIT / 1000} s.\n`;
    endGroup(child);
  }, LIMIT);
  const [code] = await once(child, 'exit');
  clearTimeout(late);
  running.delete(child);
  return { ok: code === 0, output: readFileSync(file, 'utf8') + ended, cpuSeconds: cpuSeconds(timesFile) };
}

/** Ends the programs of all steps. */
export function endPrograms(): void {
  for (const child of running) endGroup(child);
}

function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE).unref();
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The shell prints one line for itself and a second one for its children: `0m1.234s 0m0.567s`, user and system. */
function cpuSeconds(timesFile: string): number {
  try {
    const children = readFileSync(timesFile, 'utf8').split('\n')[1] ?? '';
    return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
  } catch {
    // Ended by a signal.
    return Number.NaN;
  }
}
