import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ending, Step } from './run-steps.ts';

/** Milliseconds that a step may take: far more than the longest takes on a quiet machine. */
const LIMIT = 1_500_000;
/** Milliseconds between the request to end and the kill. */
const GRACE = 10_000;

const running = new Set<ChildProcess>();

/** Runs the program of a step in its own process group, so that nothing of it is left behind. Its output is written to a file in `folder`. */
export async function runProgram(step: Step, folder: string): Promise<Ending> {
  const file = join(folder, step.name.replaceAll(/\W+/g, '-'));
  const output = openSync(file, 'w');
  const [program, ...parameters] = step.command;
  const child = spawn(program, [...parameters, ...(step.options ?? [])], {
    env: { ...process.env, ...step.environment },
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
  return { ok: code === 0, output: readFileSync(file, 'utf8') + ended };
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
