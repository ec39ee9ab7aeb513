import type { CommandHost } from '../../../src/commands/command-host.ts';
import { TEST_NOW } from '../process/start-service.ts';

export interface CommandEnd {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command in a folder, with its own environment. */
export async function runHere<Host extends CommandHost>(
  command: (args: readonly string[], host: Host) => Promise<number>,
  args: readonly string[],
  host: Partial<Host>,
): Promise<CommandEnd> {
  let output = '';
  let errors = '';
  const base: CommandHost = {
    environment: {},
    folder: '.',
    clock: () => TEST_NOW,
    output: { write: (text: string) => (output += text) },
    errors: { write: (text: string) => (errors += text) },
    operator: 'priya',
    newCorrelationId: () => 'run-1',
    beforeEnd: () => () => {},
  };
  const code = await command(args, { ...base, ...host } as Host);
  return { code, output, errors };
}
