import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants, getPriority, setPriority, userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import { createInterface as createPrompt } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { startFailure } from '../doctor/start-failure.ts';
import { thisMachine } from '../service/this-machine.ts';
import { attempt, onFailedAttempt } from '../vocabulary/attempt.ts';
import { visibleText } from '../vocabulary/text.ts';
import type { BeforeEnd } from './copies/part-file.ts';
import { progressLine } from './progress-line.ts';
import { type OperatorHost, tpws } from './tpws.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const TRIAL_PROGRAM = fileURLToPath(new URL('./rehearse/trial-process.ts', import.meta.url));

/** What commands get from this process. File names are relative to the folder in which it was started. */
export function thisProcess(): OperatorHost {
  const { progress, clear } = progressLine(process.stderr, process.env, thisMachine.stopwatch);
  const above = (stream: NodeJS.WriteStream) => ({
    write: (text: string) => {
      clear();
      return stream.write(text);
    },
  });
  return {
    environment: process.env,
    folder: process.cwd(),
    clock: thisMachine.clock,
    operator: operatorOf(process.env),
    newId: thisMachine.newId,
    output: above(process.stdout),
    errors: above(process.stderr),
    beforeEnd,
    progress,
    random: randomBytes,
    readSecret,
    confirm,
    startTrial: (environment) => fork(TRIAL_PROGRAM, { env: { ...environment } }),
    untilStopped: () => Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal))),
    machine: {
      nodeVersion: process.version,
      timeZoneData: process.versions.tz ?? 'unknown',
      platform: process.platform,
      processReport: process.report.getReport(),
    },
  };
}

/** Who runs this process, and for whom sudo started it: many operators may run commands as the service's user. */
function operatorOf({ SUDO_USER: caller }: NodeJS.ProcessEnv): string {
  let user: string;
  try {
    user = userInfo().username;
  } catch {
    // In a container, the user may have no name.
    user = `uid ${process.getuid?.()}`;
  }
  return caller === undefined || caller === user ? user : `${visibleText(caller).slice(0, 100)} as ${user}`;
}

/** These read for long, and a service on the same CPU answers its calls before them. The others keep SQLite's write lock, for which bookings wait. */
const READ_FOR_LONG = ['audit', 'backup', 'export'];

export async function runTpws(): Promise<void> {
  const args = process.argv.slice(2);
  onFailedAttempt((what, error) => process.stderr.write(`Not possible: ${what} (${startFailure(error)})\n`));
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // A sandbox may forbid it.
  attempt('let a service on this machine go first', () => {
    if (READ_FOR_LONG.includes(args[0] ?? '') && getPriority() < PRIORITY_BELOW_NORMAL)
      setPriority(PRIORITY_BELOW_NORMAL);
  });
  process.exitCode = await tpws(args, thisProcess());
}

const beforeEnd: BeforeEnd = (cleanUp) => {
  const end = (signal: NodeJS.Signals) => {
    off();
    cleanUp();
    // Nothing listens to it any more, so it ends the process.
    process.kill(process.pid, signal);
  };
  const off = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return off;
};

async function confirm(question: string): Promise<boolean> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY) return false;
  const prompt = createPrompt({ input, output });
  const said = await prompt.question(`${question} (yes or no) `).finally(() => prompt.close());
  return /^y(?:es)?$/i.test(said.trim());
}

/** The first line of standard input, without its line ending; a terminal does not show it. */
async function readSecret(): Promise<string> {
  const { stdin, stderr } = process;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY });
  lines.on('SIGINT', () => process.exit(130));
  if (stdin.isTTY) stderr.write('Secret: ');
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
