import { type CommandHost, type DefineCommand, newProgram, runProgram } from '../../../src/commands/command-host.ts';
import { TEST_NOW } from '../process/start-service.ts';

export interface CommandEnd {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command in a folder, with its own environment. */
export async function runHere<Host extends CommandHost>(
  define: DefineCommand<Host>,
  args: readonly string[],
  host: Partial<Host>,
): Promise<CommandEnd> {
  let output = '';
  let errors = '';
  const clock = () => TEST_NOW;
  const base: CommandHost = {
    environment: {},
    folder: '.',
    clock,
    databaseClock: host.clock ?? clock,
    output: { write: (text: string) => (output += text) },
    errors: { write: (text: string) => (errors += text) },
    operator: 'priya',
    newId: () => 'run-1',
    beforeEnd: () => () => {},
    progress: () => {},
    confirm: async () => false,
  };
  const own = { ...base, ...host } as Host;
  const program = newProgram(own);
  define(program.command('run'), own);
  const code = await runProgram(program, ['run', ...args], own);
  return { code, output, errors };
}
