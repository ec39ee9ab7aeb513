import type { ChildProcess } from 'node:child_process';
import { type RehearseHost, rehearseCommand } from '../../../src/commands/rehearse/rehearse-command.ts';
import { thisProcess } from '../../../src/commands/this-process.ts';
import { freePort } from '../process/free-port.ts';
import { type CommandEnd, runHere } from './run-here.ts';

/** Runs the command rehearse here, with the trial instance in a process of its own. */
export function runRehearse(args: readonly string[], host: Partial<RehearseHost>): Promise<CommandEnd> {
  const { startTrial } = thisProcess();
  const own = { startTrial, untilStopped: () => Promise.resolve() };
  return runHere<RehearseHost>(rehearseCommand, args, { ...own, ...host });
}

/** Starts a rehearsal in front of an old service; resolves when it is listening, or has ended. */
export async function startRehearsal(oldUrl: string, host: Partial<RehearseHost>) {
  const port = await freePort();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const { promise: listening, resolve: isListening } = Promise.withResolvers<void>();
  const { startTrial } = thisProcess();
  let [output, errors] = ['', ''];
  let trial: ChildProcess | undefined;
  const watched: Partial<RehearseHost> = {
    untilStopped: () => stopped,
    startTrial: (environment) => {
      trial = startTrial(environment);
      return trial;
    },
    output: {
      write: (text: string) => {
        output += text;
        if (text.startsWith('Ctrl-C')) isListening();
      },
    },
    errors: { write: (text: string) => (errors += text) },
  };
  const ended = runRehearse(['--old', oldUrl, '--listen', String(port)], { ...host, ...watched }).then(({ code }) => ({
    code,
    output,
    errors,
  }));
  await Promise.race([listening, ended]);
  return { port, stop, ended, trial };
}
