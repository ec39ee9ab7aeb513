import type { Command } from 'commander';
import { VERSION } from '../vocabulary/version.ts';
import { type DefineCommand, newProgram, runProgram } from './command-host.ts';
import type { DoctorHost } from './doctor-command.ts';
import type { HashSecretHost } from './hash-secret-command.ts';
import type { RehearseHost } from './rehearse/rehearse-command.ts';

export type OperatorHost = DoctorHost & HashSecretHost & RehearseHost;

/** In the order in which an operator meets them. Each is loaded only when it is needed: an operator waits for it. */
export const COMMANDS: Readonly<Record<string, () => Promise<DefineCommand<OperatorHost>>>> = {
  doctor: async () => (await import('./doctor-command.ts')).doctorCommand,
  import: async () => (await import('./import-command.ts')).importCommand,
  export: async () => (await import('./export-command.ts')).exportCommand,
  rehearse: async () => (await import('./rehearse/rehearse-command.ts')).rehearseCommand,
  smoke: async () => (await import('./smoke-command.ts')).smokeCommand,
  backup: async () => (await import('./database-commands.ts')).backupCommand,
  restore: async () => (await import('./database-commands.ts')).restoreCommand,
  copy: async () => (await import('./database-commands.ts')).copyCommand,
  migrate: async () => (await import('./database-commands.ts')).migrateCommand,
  retention: async () => (await import('./database-commands.ts')).retentionCommand,
  outbox: async () => (await import('./outbox-command.ts')).outboxCommand,
  patient: async () => (await import('./patient/patient-command.ts')).patientCommand,
  audit: async () => (await import('./audit/audit-command.ts')).auditCommand,
  'hash-secret': async () => (await import('./hash-secret-command.ts')).hashSecretCommand,
  completion: async () => (await import('./completion-command.ts')).completionCommand,
};

/** `tpws COMMAND …`. Resolves with the exit code of the command, or 2 if there is none of that name. */
export async function tpws(args: readonly string[], host: OperatorHost): Promise<number> {
  const [, ...after] = args;
  const asked = args[0] === 'help' ? [...after, '--help'] : args;
  const [first = ''] = asked;
  const program = newProgram(host)
    .usage('COMMAND [ARGUMENTS]')
    .version(VERSION)
    .description('Runs and looks after TPWebServices. It uses the settings of the service, from the environment.')
    .addHelpText('after', '\n"tpws COMMAND --help" describes a command.');
  for (const [name, load] of Object.entries(COMMANDS)) {
    const isNeeded = name === first || first === 'completion' || !Object.hasOwn(COMMANDS, first);
    if (isNeeded) (await load())(program.command(name), host);
  }
  program
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name(), subcommandDescription: firstSentence });
  // Asked for the help of a command that does not exist, Commander would show that of all.
  const isUnknown = after.length > 0 && !Object.hasOwn(COMMANDS, first);
  return runProgram(program, args[0] === 'help' && isUnknown ? after : asked, host);
}

const firstSentence = (command: Command): string => command.description().replace(/(?:\. |:).*/s, '.');
