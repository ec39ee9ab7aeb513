import type { AppointmentRecords } from './records/appointment-records.ts';
import type { AuditRecords } from './records/audit-records.ts';
import type { BackupRecords } from './records/backup-records.ts';
import type { ExportRecords } from './records/export-records.ts';
import type { FeedbackRecords } from './records/feedback-records.ts';
import type { IdempotencyRecords } from './records/idempotency-records.ts';
import type { ImportRecords } from './records/import-records.ts';
import type { MessageListRecords } from './records/message-list-records.ts';
import type { MessageRecords } from './records/message-records.ts';
import type { NonceRecords } from './records/nonce-records.ts';
import type { OutboxGaugeRecords } from './records/outbox-gauge-records.ts';
import type { OutboxRecords } from './records/outbox-records.ts';
import type { PatientRecords } from './records/patient-records.ts';
import type { ReferenceRecords } from './records/reference-records.ts';
import type { ReferenceTableRecords } from './records/reference-table-records.ts';
import type { SchemaRecords } from './records/schema-records.ts';

/**
 * Stores all data. There is one implementation per database. The queries are shared (`records/`), and the differences are in
 * `database-differences.ts`.
 *
 * Both methods throw ServiceError `Unavailable` if the database is busy or cannot be reached.
 */
export interface Store {
  /** For the start message: which database it is, and where the data is stored. Contains no password. */
  readonly description: string;
  /** Runs `work` concurrently with the writers. Each of its queries sees what was committed when the query began. */
  read<T>(work: (records: Records) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one transaction, with which no other writer interleaves. Resolves after its commit is on disk. If `work` throws, it is
   * rolled back entirely. `work` awaits nothing but its records, because other writers are waiting. It may run more than once before it is
   * committed, so its effects other than on the records must not matter.
   *
   * `keys` name everything that `work` reads before it writes, such as a doctor's appointments (`store-keys.ts`): then only writers that
   * share a key are guaranteed not to interleave, and others may run concurrently. Without keys, it runs alone.
   */
  write<T>(work: (records: Records) => Promise<T>, keys?: readonly string[]): Promise<T>;
  /**
   * A number that changes whenever any process changes centers, doctors, opening hours or leaves. Whatever is derived from them may be
   * reused as long as the number stays the same. Cheap enough to call on every request.
   */
  referenceVersion(): Promise<number>;
  /**
   * The database's clock, in milliseconds since the epoch; undefined if it has none of its own because all its processes run on the same
   * machine.
   */
  time(): Promise<number | undefined>;
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

/** The queries, grouped by subject, bound to one connection or transaction. */
export interface Records {
  readonly reference: ReferenceRecords;
  readonly referenceTables: ReferenceTableRecords;
  readonly appointments: AppointmentRecords;
  readonly audit: AuditRecords;
  readonly backups: BackupRecords;
  readonly feedback: FeedbackRecords;
  readonly idempotency: IdempotencyRecords;
  readonly messages: MessageRecords;
  readonly messageList: MessageListRecords;
  readonly outbox: OutboxRecords;
  readonly outboxGauge: OutboxGaugeRecords;
  readonly nonces: NonceRecords;
  readonly exports: ExportRecords;
  readonly patients: PatientRecords;
  readonly imports: ImportRecords;
  readonly schema: SchemaRecords;
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
