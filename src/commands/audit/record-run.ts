import { InvalidArgumentError, Option } from 'commander';
import { type AuditEntry, type AuditSubject, MOST_SHOWN, shownRecord } from '../../store/queries/audit-queries.ts';
import type { Store } from '../../store/store.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';
import type { CommandHost } from '../command-host.ts';

/** The flag of `referenceOption`. */
export interface Reference {
  readonly reference?: string | undefined;
}

const REFERENCE = /^[^\p{C}]{1,200}$/u;

/** For the commands that show or copy patients' data. */
export const referenceOption = (): Option =>
  new Option('--reference <text>', 'the reason, such as the number of a request, for the audit trail').argParser(
    (text) => {
      if (REFERENCE.test(text)) return text;
      throw new InvalidArgumentError('Expected 1 to 200 characters, none of them invisible.');
    },
  );

/**
 * The audit row of a run of `tpws PROGRAM`, which read the records unless `done` says otherwise. Its client has a space in its name, which no
 * client in the clients file can have.
 */
export const runRow = (
  store: Pick<Store, 'clock'>,
  program: string,
  operation: string,
  { operator, newId }: CommandHost,
  { reference }: Reference,
  done: Partial<AuditEntry> = {},
): AuditEntry => ({
  recordedOn: store.clock(),
  operation,
  action: 'R',
  outcome: 0,
  resultCode: ResultCode.OK,
  client: `tpws ${program}`,
  correlationId: newId(),
  operator,
  reference,
  ...done,
});

/** Before anything is shown: if the row cannot be written, nobody sees the data. Throws as the store does. */
export const recordRun = (store: Store, row: AuditEntry): Promise<unknown> =>
  store.write(({ audit }) => audit.add(row), []);

/** Names each record before it is shown, in as many rows as they need. */
export const recordShown = (store: Store, row: AuditEntry, subjects: readonly AuditSubject[]): Promise<void> =>
  store.write(async ({ audit }) => {
    for (let at = 0; at === 0 || at < subjects.length; at += MOST_SHOWN) {
      const some = subjects.slice(at, at + MOST_SHOWN).map(shownRecord);
      await audit.add({ ...row, shown: some.join(' ') || undefined });
    }
  }, []);
