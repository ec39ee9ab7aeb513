import type { LogFields } from '../log/log.ts';

/** Where the data is kept, and how to use it; `settings/database-settings.ts` reads it from DATABASE_URL. */
export type DatabaseLocation = SqliteLocation | PostgresLocation;

export interface SqliteLocation {
  readonly kind: 'sqlite';
  /** A file, or `:memory:`. */
  readonly path: string;
  /** How long a write waits for another process. */
  readonly timeoutMs: number;
}

export interface PostgresLocation {
  readonly kind: 'postgres';
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE, with libpq's parameters after a question mark. */
  readonly url: string;
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** How long a connection, a lock or a statement may take. */
  readonly timeoutMs: number;
}

export interface OpenOptions {
  /**
   * Neither create a database nor change its schema: if it does not exist or has a different schema, throw ServiceError `Unavailable` with
   * the reason. For callers that only read.
   */
  readonly mustExist?: boolean | undefined;
  /** false: throws SetUpError if the database would have to be created; default true. */
  readonly mayCreate?: boolean | undefined;
  /** A test's clock, ms since the epoch, in place of the database's. */
  readonly clock?: (() => number) | undefined;
  readonly timer?: AccessTimer | undefined;
  readonly onUpgrade?: OnUpgrade | undefined;
}

/** Who times reads and writes of the database. */
export interface AccessTimer {
  /** Called when one begins; returns what is called when it has ended, with the error if it failed. */
  timeAccess(access: 'read' | 'write'): (error?: unknown) => void;
}

export const UNTIMED: AccessTimer = { timeAccess: () => () => {} };

/** Called while the schema of a database is upgraded, with an event of the log and its fields, such as the last steps before and after. */
export type OnUpgrade = (event: string, fields: Pick<LogFields, 'from' | 'to' | 'step' | 'sessions'>) => void;
