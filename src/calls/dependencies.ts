import type { ResultRecord } from '../contract/contract.ts';
import type { HospitalConfig } from '../settings/hospital-settings.ts';
import type { AuditMove, AuditSubject } from '../store/queries/audit-queries.ts';
import type { Queries, Store } from '../store/store.ts';
import type { Machine } from '../vocabulary/machine.ts';

/** What the implementations use for every call. */
export interface OperationDependencies extends Pick<Machine, 'clock'> {
  readonly policy: HospitalConfig;
  /** Segments of text messages that are sent in a second, once there is a gateway: limits on what waits are the same without one. */
  readonly messagesPerSecond: number;
  /** Called when a text message is waiting to be sent. */
  readonly messageQueued?: (() => void) | undefined;
}

/** What a call did beyond what its parameters and answer show. An action replaces that of the operation. */
export type AuditNote = AuditMove & AuditSubject;

/** What comes with a call besides its parameters. */
export interface CallContext {
  /** Whether the caller may have a slot that is full. */
  readonly mayOverbook: boolean;
  /** Whether the caller may see whole phone numbers, whatever the setting says. */
  readonly seesPhones: boolean;
  readonly store: Pick<Store, 'read' | 'reference'>;
  /** As `Store.write`; the same transaction audits the call's answer, and stores it under the call's Idempotency-Key. */
  write<R extends ResultRecord>(
    work: (queries: Queries) => Promise<R>,
    keys: readonly string[] | undefined,
  ): Promise<R>;
  /** Whose records the call may find repeated, and among which it is counted, as `callerName` says. */
  readonly client: string;
  /** Appears in the answer, the log and the audit trail. */
  readonly correlationId: string;
  /** For the audit row, which is written at the end of the call. A note replaces an earlier one. */
  note(note: AuditNote): void;
}
