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
 * Where everything is kept. One implementation a database; the queries are shared (`records/`), what differs is written
 * down in `database-differences.ts`.
 *
 * Both methods throw ServiceError `Unavailable` if the database is busy or cannot be reached.
 */
export interface Store {
  /** For the start message: which database, and where the data lies. Holds no password. */
  readonly description: string;
  /** Runs `work` beside the writers; each of its queries sees what was committed when it began. */
  read<T>(work: (records: Records) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one transaction that no other writer interleaves with. Resolves after its commit is on disk; if `work`
   * throws, nothing of it stays. `work` awaits nothing but its records: other writers wait meanwhile. It may be run more than
   * once, until it is committed: what it leaves outside of its records must not count.
   *
   * `keys` name all that `work` looks at before it writes, such as a doctor's appointments (`store-keys.ts`): then only writers
   * that share a key are sure not to come between, and others may run beside. Without keys it runs alone.
   */
  write<T>(work: (records: Records) => Promise<T>, keys?: readonly string[]): Promise<T>;
  /**
   * A number that is another one after centers, doctors, opening hours or leaves were changed, by whatever process: what was
   * made from them under one number may be used again while it lasts. Cheap enough to ask at every call.
   */
  referenceVersion(): Promise<number>;
  /**
   * The database's clock, in milliseconds since the epoch; undefined where it has none of its own, but that of the machine that all its
   * processes run on.
   */
  time(): Promise<number | undefined>;
  /**
   * Why nothing is written now, as far as it can be told without asking the database: one sentence for the operator. undefined: nothing is
   * known against it.
   */
  flaw(): string | undefined;
  /** Bytes that the database takes now, where it is kept. Throws ServiceError `Unavailable` as `read` does. */
  size(): Promise<number>;
  /**
   * Takes what was deleted or overwritten out of the files, as far as the service can: on SQLite out of the write-ahead log, as soon as nobody
   * reads from it. PostgreSQL does it by itself, later.
   */
  purge(): Promise<void>;
  /** Finishes what runs, then closes the database. */
  close(): Promise<void>;
}

/** The queries, by what they are about, bound to one connection or transaction. */
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

/** The database itself refused a row: another one holds the seat, or the patient is elsewhere at that time. */
export class StoreConflict extends Error {
  readonly kind: 'seat-taken' | 'patient-overlap';
  constructor(kind: StoreConflict['kind'], cause: unknown) {
    super(kind, { cause });
    this.name = 'StoreConflict';
    this.kind = kind;
  }
}
