import type { ConnectionLimit } from './postgres/connection-limit.ts';
import type { SchemaState } from './schema-state.ts';

/** What a look at a database found; nothing was changed. */
export interface DatabaseState {
  /** Which database, without a password. */
  readonly description: string;
  /** false: there is none yet, and the first start makes it. */
  readonly exists: boolean;
  readonly schema: SchemaState;
  /** Why nothing can be written, if nothing can. */
  readonly readOnly: string | undefined;
  /** What decides whether a commit survives a crash: the setting's name, what it is, and what it should be. */
  readonly durability: readonly { readonly name: string; readonly is: string; readonly expected: string }[];
  /** Whether a commit waits for a standby that DATABASE_URL names too; undefined where it names no other server. */
  readonly waitsForStandby: boolean | undefined;
  /** Connections that there may be at once; undefined: as many as come. */
  readonly connectionLimit: ConnectionLimit | undefined;
  /** The database's clock less this machine's, in milliseconds; undefined where it has none of its own. */
  readonly clockDifference: number | undefined;
  /** What is wrong inside the file, if anything; undefined too where only the server could tell. */
  readonly damage: string | undefined;
  /** Files that hold the data, if they are on this machine. */
  readonly files: readonly string[];
}
