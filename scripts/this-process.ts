import type { CommandHost } from '../src/commands/command-host.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * What a command gets from this process. npm runs a command's script in the project's folder; file names are relative to the folder where
 * npm was called.
 */
export function thisProcess(script: string): CommandHost {
  const { npm_lifecycle_event: running, INIT_CWD: calledIn } = process.env;
  return {
    environment: process.env,
    folder: running === script && calledIn !== undefined ? calledIn : process.cwd(),
    clock: Date.now,
    output: process.stdout,
    errors: process.stderr,
    beforeEnd: (cleanUp) => {
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
    },
  };
}
