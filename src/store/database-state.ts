import type { ConnectionLimit } from './postgres/connection-limit.ts';
import type { SchemaState } from './schema-state.ts';

/** What an inspection of a database found; nothing was changed. */
export interface DatabaseState {
  /** Which database, without a password. */
  readonly description: string;
  /** false: it does not exist yet, and the first start creates it. */
  readonly exists: boolean;
  readonly schema: SchemaState;
  /** Why nothing can be written, if that is the case. */
  readonly readOnly: string | undefined;
  /** What decides whether a commit survives a crash: the setting's name, its value, and the value it should have. */
  readonly durability: readonly { readonly name: string; readonly is: string; readonly expected: string }[];
  /** Whether a commit also waits for a standby that DATABASE_URL names; undefined if it names no other server. */
  readonly waitsForStandby: boolean | undefined;
  /** The maximum number of concurrent connections; undefined: no limit. */
  readonly connectionLimit: ConnectionLimit | undefined;
  /** The database's clock minus this machine's, in milliseconds; undefined if the database has no clock of its own. */
  readonly clockDifference: number | undefined;
  /** What is wrong inside the file, if anything; also undefined if only the server could find out. */
  readonly damage: string | undefined;
  /** Files that hold the data, if they are on this machine. */
  readonly files: readonly string[];
}
