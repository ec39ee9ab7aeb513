import { Worker } from 'node:worker_threads';
import { type RehearseHost, rehearseCommand } from '../../../src/commands/rehearse/rehearse-command.ts';
import type { TrialStart } from '../../../src/commands/rehearse/trial-message.ts';
import { freePort } from '../process/free-port.ts';
import { type CommandEnd, runHere } from './run-here.ts';

const PROGRAM = new URL('../../../scripts/rehearse.ts', import.meta.url);

/** Runs the command rehearse here, with trial instances in threads, as its script does. */
export const runRehearse = (
  args: readonly string[],
  host: Partial<RehearseHost>,
  threads: Worker[] = [],
): Promise<CommandEnd> =>
  runHere<RehearseHost>(rehearseCommand, args, {
    stopwatch: () => performance.now(),
    newThread: (start: TrialStart) => {
      const thread = new Worker(PROGRAM, { workerData: start });
      threads.push(thread);
      return thread;
    },
    stopped: Promise.resolve(),
    ...host,
  });

/** Starts a rehearsal in front of an old service; resolves when it is listening, or has ended. */
export async function startRehearsal(oldUrl: string, host: Partial<RehearseHost>, threads: Worker[] = []) {
  const port = await freePort();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const { promise: listening, resolve: isListening } = Promise.withResolvers<void>();
  let [output, errors] = ['', ''];
  const watched = {
    stopped,
    output: {
      write: (text: string) => {
        output += text;
        if (text.startsWith('Ctrl-C')) isListening();
      },
    },
    errors: { write: (text: string) => (errors += text) },
  };
  const ended = runRehearse(['--old', oldUrl, '--listen', String(port)], { ...host, ...watched }, threads).then(
    ({ code }) => ({ code, output, errors }),
  );
  await Promise.race([listening, ended]);
  return { port, stop, ended };
}
