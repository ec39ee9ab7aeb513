import { newCommand, runCommand } from './command-host.ts';
import type { DoctorHost } from './doctor/doctor-command.ts';
import type { HashSecretHost } from './hash-secret-command.ts';
import type { RehearseHost } from './rehearse/rehearse-command.ts';

export type OperatorHost = DoctorHost & HashSecretHost & RehearseHost;

interface OperatorCommand {
  readonly summary: string;
  /** Runs it with the arguments after its name, and resolves with its exit code. Its code is loaded only then: an operator waits for it. */
  readonly run: (args: readonly string[], host: OperatorHost) => Promise<number>;
}

/** In the order in which an operator meets them. */
const COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  doctor: {
    summary: 'check whether the service can run as configured',
    run: async (...call) => (await import('./doctor/doctor-command.ts')).doctorCommand(...call),
  },
  import: {
    summary: 'import centers, doctors, hours, templates, appointments and feedback',
    run: async (...call) => (await import('./import-command.ts')).importCommand(...call),
  },
  export: {
    summary: 'write the same data to files',
    run: async (...call) => (await import('./export-command.ts')).exportCommand(...call),
  },
  rehearse: {
    summary: 'try this service beside the old one, with the requests of its callers',
    run: async (...call) => (await import('./rehearse/rehearse-command.ts')).rehearseCommand(...call),
  },
  smoke: {
    summary: 'call every operation of a running service',
    run: async (...call) => (await import('./smoke-command.ts')).smokeCommand(...call),
  },
  backup: {
    summary: 'write a verified copy of the database',
    run: async (...call) => (await import('./database-commands.ts')).backupCommand(...call),
  },
  restore: {
    summary: 'replace the database with a backup',
    run: async (...call) => (await import('./database-commands.ts')).restoreCommand(...call),
  },
  copy: {
    summary: 'copy an SQLite file into PostgreSQL',
    run: async (...call) => (await import('./database-commands.ts')).copyCommand(...call),
  },
  migrate: {
    summary: "upgrade the database's schema",
    run: async (...call) => (await import('./database-commands.ts')).migrateCommand(...call),
  },
  retention: {
    summary: 'delete what has expired now',
    run: async (...call) => (await import('./database-commands.ts')).retentionCommand(...call),
  },
  outbox: {
    summary: 'list, retry and cancel text messages',
    run: async (...call) => (await import('./outbox-command.ts')).outboxCommand(...call),
  },
  patient: {
    summary: 'find, export or erase what is stored about one patient',
    run: async (...call) => (await import('./patient/patient-command.ts')).patientCommand(...call),
  },
  audit: {
    summary: 'export who did what, and when',
    run: async (...call) => (await import('./audit/audit-command.ts')).auditCommand(...call),
  },
  'hash-secret': {
    summary: 'hash a password, or create an API key, for the clients file',
    run: async (...call) => (await import('./hash-secret-command.ts')).hashSecretCommand(...call),
  },
};

/** `tpws COMMAND …`. Resolves with the exit code of the command, or 2 if there is none of that name. */
export function tpws(args: readonly string[], host: OperatorHost): Promise<number> {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return command.run(rest, host);
  const program = newCommand('', host)
    .name('tpws')
    .usage('COMMAND [ARGUMENTS]')
    .description('Runs and looks after TPWebServices. It uses the settings of the service, from the environment.')
    .addHelpText('after', '\n"tpws COMMAND --help" describes a command.');
  for (const [name, { summary }] of Object.entries(COMMANDS)) program.command(name).description(summary);
  return runCommand(program.helpCommand(false), name === 'help' ? ['--help'] : args, host);
}
