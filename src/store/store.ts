import { ServiceError } from '../vocabulary/errors.ts';
import { AppointmentQueries } from './queries/appointment-queries.ts';
import { AuditQueries } from './queries/audit-queries.ts';
import { ExportQueries } from './queries/export-queries.ts';
import { FactQueries } from './queries/fact-queries.ts';
import { FeedbackQueries } from './queries/feedback-queries.ts';
import { IdempotencyQueries } from './queries/idempotency-queries.ts';
import { ImportQueries } from './queries/import-queries.ts';
import { MessageListQueries } from './queries/message-list-queries.ts';
import { MessageQueries } from './queries/message-queries.ts';
import { NonceQueries } from './queries/nonce-queries.ts';
import { OutboxQueries } from './queries/outbox-queries.ts';
import { PatientQueries } from './queries/patient-queries.ts';
import { ReferenceQueries } from './queries/reference-queries.ts';
import { ReferenceTableQueries } from './queries/reference-table-queries.ts';
import type { Session } from './session.ts';

/**
 * Stores all data. There is one implementation per database. The queries are shared (`queries/`).
 *
 * Both methods throw ServiceError `Unavailable` if the database is busy or cannot be reached.
 */
export interface Store {
  /** For the start message: which database it is, and where the data is stored. Contains no password. */
  readonly description: string;
  /** Runs `work` concurrently with the writers. Each of its queries sees what was committed when the query began. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one transaction, with which no other writer interleaves. Resolves after its commit is on disk. If `work` throws, it is
   * rolled back entirely. `work` awaits nothing but its queries, because other writers are waiting. It may run more than once before it is
   * committed, so its effects other than through the queries must not matter.
   *
   * `keys` name everything that `work` reads before it writes, such as a doctor's appointments (`store-keys.ts`): then only writers that
   * share a key are guaranteed not to interleave, and others may run concurrently. Without keys, it runs alone.
   */
  write<T>(work: (queries: Queries) => Promise<T>, keys?: readonly string[]): Promise<T>;
  /**
   * A number that changes whenever any process changes centers, doctors, opening hours or leaves. Whatever is derived from them may be
   * reused as long as the number stays the same. Cheap enough to call on every request.
   */
  referenceVersion(): Promise<number>;
  /**
   * Why nothing can be written now, as far as is known without asking the database: a sentence for the operator. undefined if no problem is
   * known.
   */
  flaw(): string | undefined;
  /** How many bytes the database currently occupies where it is stored. Throws ServiceError `Unavailable` as `read` does. */
  size(): Promise<number>;
  /**
   * Removes deleted and overwritten data from the files, as far as the service can: on SQLite from the write-ahead log, as soon as nobody
   * is reading from it. PostgreSQL does so by itself, later.
   */
  purge(): Promise<void>;
  /** Finishes running work, then closes the database. */
  close(): Promise<void>;
}

/** Another session of the database, which may belong to anybody who can connect, did not release a lock of the service in time. */
export class BlockedError extends ServiceError {
  constructor(holder: string, cause: unknown) {
    super('Unavailable', undefined, { reason: `a lock of the service is held by ${holder}`, cause });
  }
}

export type Queries = ReturnType<typeof bindQueries>;

/** The queries, grouped by subject, bound to a connection or transaction. */
export function bindQueries(session: Session) {
  return {
    reference: new ReferenceQueries(session),
    referenceTables: new ReferenceTableQueries(session),
    appointments: new AppointmentQueries(session),
    audit: new AuditQueries(session),
    facts: new FactQueries(session),
    feedback: new FeedbackQueries(session),
    idempotency: new IdempotencyQueries(session),
    messages: new MessageQueries(session),
    messageList: new MessageListQueries(session),
    outbox: new OutboxQueries(session),
    nonces: new NonceQueries(session),
    exports: new ExportQueries(session),
    patients: new PatientQueries(session),
    imports: new ImportQueries(session),
  };
}

/** The database itself refused a row: another row has the seat, or the patient has another appointment at that time. */
export class StoreConflict extends Error {
  readonly kind: 'seat-taken' | 'patient-overlap';
  /** True if the work had seen everything committed by others: run again, it would meet the same conflict. */
  readonly isFinal: boolean;
  constructor(kind: StoreConflict['kind'], cause: unknown, isFinal: boolean) {
    super(kind, { cause });
    this.name = 'StoreConflict';
    this.kind = kind;
    this.isFinal = isFinal;
  }
}
