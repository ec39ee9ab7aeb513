import { ServiceError } from '../vocabulary/errors.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { SEAT_TAKEN } from './migrations/0001-guards.ts';
import { appointmentQueries } from './queries/appointment-queries.ts';
import { auditQueries } from './queries/audit-queries.ts';
import { exportQueries } from './queries/export-queries.ts';
import { factQueries } from './queries/fact-queries.ts';
import { feedbackQueries } from './queries/feedback-queries.ts';
import { idempotencyQueries } from './queries/idempotency-queries.ts';
import { importQueries } from './queries/import-queries.ts';
import { messageListQueries } from './queries/message-list-queries.ts';
import { messageQueries } from './queries/message-queries.ts';
import { nonceQueries } from './queries/nonce-queries.ts';
import { outboxQueries } from './queries/outbox-queries.ts';
import { patientQueries } from './queries/patient-queries.ts';
import type { ReferenceData } from './queries/reference-data.ts';
import { ReferenceTableQueries } from './queries/reference-table-queries.ts';
import type { SeenReference } from './queries/seen-reference.ts';
import type { Session } from './session.ts';

/**
 * Stores all data. There is one implementation per database. The queries are shared (`queries/`).
 *
 * Both methods throw ServiceError `Unavailable` if the database is busy or cannot be reached.
 */
export interface Store {
  /** For the start message: which database it is, and where the data is stored. Contains no password. */
  readonly description: string;
  /**
   * The clock that all processes on the database share, ms since the epoch: the server's, or this machine's for a file. Every instant that is
   * stored, or compared with a stored one, is read from it.
   */
  readonly clock: () => number;
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
  /** The reference data as it is committed, by any process. Cheap enough to call on every request. */
  reference(): Promise<ReferenceData>;
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

/** Queries as callers see them: without the session that they run on. */
type Bound<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends (session: Session, ...values: infer Values) => infer Result
    ? (...values: Values) => Result
    : never;
};

const bound = <Group extends Readonly<Record<string, (session: Session, ...values: never[]) => unknown>>>(
  session: Session,
  group: Group,
): Bound<Group> =>
  Object.fromEntries(
    Object.keys(group).map((name) => [name, (...values: never[]) => group[name]?.(session, ...values)]),
  ) as Bound<Group>;

export type Queries = ReturnType<typeof bindQueries>;

/** The queries, grouped by subject, bound to a connection or transaction, and the reference data that it sees. */
export function bindQueries(session: Session, seen: Pick<SeenReference, 'data' | 'noteChange'>) {
  return {
    reference: () => seen.data(),
    referenceTables: new ReferenceTableQueries(session, seen),
    appointments: bound(session, appointmentQueries),
    audit: bound(session, auditQueries),
    facts: bound(session, factQueries),
    feedback: bound(session, feedbackQueries),
    idempotency: bound(session, idempotencyQueries),
    messages: bound(session, messageQueries),
    messageList: bound(session, messageListQueries),
    outbox: bound(session, outboxQueries),
    nonces: bound(session, nonceQueries),
    exports: bound(session, exportQueries),
    patients: bound(session, patientQueries),
    imports: bound(session, importQueries),
  };
}

/** The database itself refused a row, because another row has the seat. */
export class StoreConflict extends Refusal {
  override readonly name = 'StoreConflict';

  constructor(cause: unknown) {
    super('SlotTaken', 'The doctor is already booked at that time.');
    this.cause = cause;
  }
}

/**
 * What a caller of the store gets for an error of the database: a StoreConflict if `guard` names the guard of seats, ServiceError
 * `Unavailable` if there is a reason why the call may be retried; any other error unchanged, to be answered as our fault.
 */
export function storeError(error: unknown, guard: string | undefined, reason: string | undefined): unknown {
  if (guard === SEAT_TAKEN) return new StoreConflict(error);
  return reason === undefined ? error : new ServiceError('Unavailable', undefined, { reason, cause: error });
}
