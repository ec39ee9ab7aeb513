import type { ResultRecord } from '../contract/contract.ts';
import type { HospitalConfig } from '../settings/hospital-settings.ts';
import type { AuditMove, AuditSubject } from '../store/queries/audit-queries.ts';
import type { Queries, Store } from '../store/store.ts';

/** Milliseconds since the epoch. Injected, so that tests control the time. */
export type Clock = () => number;

/** What the implementations use for every call. */
export interface OperationDependencies {
  readonly clock: Clock;
  readonly policy: HospitalConfig;
  /** Text messages that are sent in a second; undefined if they are only queued. */
  readonly messagesPerSecond?: number | undefined;
  /** Called when a text message is waiting to be sent. */
  readonly messageQueued?: (() => void) | undefined;
}

/** What a call did beyond what its parameters and answer show. An action replaces that of the operation. */
export type AuditNote = AuditMove & AuditSubject;

/**
 * What counts of a call's parameters, however they are written, as a value for JSON: two calls with the same Idempotency-Key must agree in it.
 * May throw Refusal, as the call then does too.
 */
export type Meaning = (queries: Queries) => unknown;

/** The methods of the store that operations use. `write` resolves with the answer of the call. */
export interface CallStore extends Pick<Store, 'read' | 'referenceVersion'> {
  write<R extends ResultRecord>(
    work: (queries: Queries) => Promise<R>,
    keys: readonly string[] | undefined,
    meaning: Meaning,
  ): Promise<R>;
}

/** What comes with a call besides its parameters. */
export interface CallContext {
  /**
   * The store for this call. What `write` resolves with is the call's answer, which the same transaction stores under the call's
   * Idempotency-Key and audits.
   */
  readonly store: CallStore;
  /** Whose records the call may find repeated, and among which it is counted, as `callerName` says. */
  readonly client: string;
  /** Appears in the answer, the log and the audit trail. */
  readonly correlationId: string;
  /** For the audit row, which is written at the end of the call. A note replaces an earlier one. */
  note(note: AuditNote): void;
}
