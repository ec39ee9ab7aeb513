import { createLog } from '../log/log.ts';
import { createRetention } from '../process/retention.ts';
import { type CommandHost, newCommand, runCommand, withStore } from './command-host.ts';

export const KINDS = {
  appointments: 'appointments',
  messages: 'messages',
  feedback: 'feedback',
  auditEvents: 'audit rows',
  answers: 'kept answers',
  messageFiles: 'message files',
} as const;

/** `retention`: deletes what has expired now, as the service does every hour. Resolves with the exit code. */
export function retentionCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const command = newCommand('retention', host)
    .description(
      'Deletes what has expired now, instead of within the hour. The settings …_RETENTION_DAYS say what expires.',
    )
    .action(() =>
      withStore(host, { mustExist: true, isLong: true }, async (store, { retentionDays, sms: { gateway } }) => {
        const deleted = await createRetention({
          ...host,
          store,
          log: createLog('silent'),
          keptDays: retentionDays,
          messageFile: gateway.kind === 'file' ? gateway.path : undefined,
        }).clean(true);
        for (const [kind, name] of Object.entries(KINDS)) {
          host.output.write(`${name}: ${deleted?.[kind as keyof typeof KINDS] ?? 0} deleted\n`);
        }
      }),
    );
  return runCommand(command, args, host);
}
