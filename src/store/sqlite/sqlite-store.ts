import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../vocabulary/errors.ts';
import { type AccessTimer, UNTIMED } from '../database-location.ts';
import type { ReferenceData } from '../queries/reference-data.ts';
import { type KnownReference, SeenReference } from '../queries/seen-reference.ts';
import type { Session } from '../session.ts';
import { bindQueries, type Queries, type Store, storeError } from '../store.ts';
import { firstValue, sizeOnDisk } from './database-file.ts';
import { ReadTurn } from './read-turn.ts';
import { isDamage, unavailableReason } from './sqlite-errors.ts';
import { WalLimit } from './wal-limit.ts';
import { WriteBatch } from './write-batch.ts';

interface SqliteConnection {
  readonly database: DatabaseSync;
  readonly session: Session;
}

interface SqliteParts {
  readonly description: string;
  readonly clock?: (() => number) | undefined;
  readonly writer: SqliteConnection;
  /** A connection for reads; undefined for a database in memory, which exists in one connection only. */
  readonly reader: SqliteConnection | undefined;
  /** How long a write waits for another process. */
  readonly busyLimitMs: number;
  /** Why the file is no longer the one that was opened; undefined if it is. */
  readonly fileFlaw: () => string | undefined;
  readonly timer?: AccessTimer | undefined;
}

export class SqliteStore implements Store {
  readonly description: string;
  readonly clock: () => number;
  readonly #writing: DatabaseSync;
  readonly #batch: WriteBatch;
  readonly #writeQueries: Queries;
  /** Reads from a file, which continue while the writer waits for the disk. A database in memory reads between its transactions. */
  readonly #reads: ReadTurn | undefined;
  readonly #fileFlaw: SqliteParts['fileFlaw'];
  readonly #limit: WalLimit | undefined;
  readonly #timer: AccessTimer;
  #damage: string | undefined;

  constructor({ description, clock = Date.now, writer, reader, busyLimitMs, fileFlaw, timer = UNTIMED }: SqliteParts) {
    this.#timer = timer;
    this.description = description;
    this.clock = clock;
    this.#writing = writer.database;
    this.#fileFlaw = fileFlaw;
    const known: KnownReference = {};
    const seen = new SeenReference(writer.session, known);
    this.#writeQueries = bindQueries(writer.session, seen);
    const reads = reader === undefined ? undefined : new ReadTurn(reader.database, reader.session, known);
    this.#reads = reads;
    this.#limit = reads === undefined ? undefined : new WalLimit(writer.database, () => reads.end());
    this.#batch = new WriteBatch(writer.database, busyLimitMs, {
      afterBegin: () => seen.forget(),
      requireSound: () => this.#requireSound(),
      afterCommit: () => this.#limit?.afterCommit(),
    });
  }

  async read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const ended = this.#timer.timeAccess('read');
    try {
      this.#reads?.begin();
      // With a single connection, a read must not run between the statements of a transaction.
      const value = await (this.#reads === undefined
        ? this.#batch.run(() => work(this.#writeQueries))
        : work(this.#reads.queries));
      ended();
      return value;
    } catch (error) {
      throw this.#failed(error, ended);
    }
  }

  async write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const ended = this.#timer.timeAccess('write');
    try {
      const value = await this.#batch.run(() => work(this.#writeQueries));
      // A caller that learns of this write may immediately read it.
      this.#reads?.end();
      ended();
      return value;
    } catch (error) {
      throw this.#failed(error, ended);
    }
  }

  reference(): Promise<ReferenceData> {
    return this.read(({ reference }) => reference());
  }

  async size(): Promise<number> {
    const file = this.#writing.location();
    if (file !== null) return sizeOnDisk(file);
    return (
      firstValue<number>(this.#writing, 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size') ?? 0
    );
  }

  flaw(): string | undefined {
    return this.#damage ?? this.#fileFlaw();
  }

  async purge(): Promise<void> {
    this.#limit?.emptySoon();
    // This commit empties the log.
    await this.write(async () => {});
  }

  async close(): Promise<void> {
    await this.#batch.idle();
    this.#reads?.close();
    this.#writing[Symbol.dispose]();
  }

  #requireSound(): void {
    const flaw = this.flaw();
    if (flaw !== undefined) throw new ServiceError('Unavailable', undefined, { reason: flaw });
  }

  #failed(error: unknown, ended: (error: unknown) => void): unknown {
    const failure = this.#storeError(error);
    ended(failure);
    return failure;
  }

  /** After damage is found, nothing more is written to the file until somebody has examined it and restarted the service. */
  #storeError(error: unknown): unknown {
    if (isDamage(error)) this.#damage = `The database file is damaged (${(error as Error).message}).`;
    return storeError(error, (error as Error | undefined)?.message, unavailableReason(error));
  }
}
