/** Where the data is kept, and how to use it; `settings/database-settings.ts` reads it from DATABASE_URL. */
export type DatabaseLocation = SqliteLocation | PostgresLocation;

interface SqliteLocation {
  readonly kind: 'sqlite';
  /** A file, or `:memory:`. */
  readonly path: string;
  /** How long a write waits for another process, in milliseconds; default 5 s. */
  readonly timeout?: number;
}

export interface PostgresLocation {
  readonly kind: 'postgres';
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE, with libpq's parameters after a question mark. */
  readonly url: string;
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** How long a connection, a lock or a statement may take, in milliseconds. */
  readonly timeout: number;
}

export interface OpenOptions {
  /**
   * Neither create a database nor change its schema: if it does not exist or has a different schema, throw ServiceError `Unavailable` with
   * the reason. For callers that only read.
   */
  readonly mustExist?: boolean | undefined;
  /** false: throws SetUpError if the database would have to be created; default true. */
  readonly mayCreate?: boolean | undefined;
  /**
   * Which clock decides when something that several processes see expires, such as a lease: by default the server's, if there is one. A
   * test uses the clock that it sets.
   */
  readonly sharedClock?: 'server' | 'process' | undefined;
  readonly tell?: ((notice: OpenNotice) => void) | undefined;
}

/** Something that the operator should know, although the database could be opened. */
export type OpenNotice =
  /** The schema was brought up to date; `from` (undefined if there was none) and `to` name its last step before and after. */
  | { readonly kind: 'upgraded'; readonly from: string | undefined; readonly to: string }
  /** The pool may grow beyond the number of connections that the database accepts, and calls would then be refused. */
  | { readonly kind: 'few-connections'; readonly allowed: number; readonly wanted: number };
