import type { CommandHost } from '../src/commands/command-host.ts';

/**
 * What a command gets from this process. npm runs the script of a command in the project's folder; files are named from where npm
 * was called.
 */
export function thisProcess(script: string): CommandHost {
  const { npm_lifecycle_event: running, INIT_CWD: calledIn } = process.env;
  return {
    environment: process.env,
    folder: running === script && calledIn !== undefined ? calledIn : process.cwd(),
    clock: Date.now,
    output: process.stdout,
    errors: process.stderr,
  };
}
