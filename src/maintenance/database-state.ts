import type { SchemaState } from '../store/schema-state.ts';

/** The findings of an inspection, which changed nothing in the database. */
export interface DatabaseState {
  /** Identifies the database, without a password. */
  readonly description: string;
  /** false if it does not exist yet; the first start creates it. */
  readonly exists: boolean;
  readonly schema: SchemaState;
  /** Why the service cannot write to it, and what to do, without a final period; undefined if it can. */
  readonly unusable: string | undefined;
  /** What decides whether a commit survives a crash: the setting's name, its value, and the value it should have. */
  readonly durability: readonly { readonly name: string; readonly is: string; readonly expected: string }[];
  /** Whether a commit also waits for a standby; undefined if none is connected. */
  readonly waitsForStandby: boolean | undefined;
  /** The maximum number of concurrent connections; undefined: no limit. */
  readonly mostConnections: number | undefined;
  /** The database's clock minus this machine's; undefined if the database has no clock of its own. */
  readonly clockDifferenceMs: number | undefined;
  /** Corruption found in the file, if any. Also undefined for a database that only its server could check. */
  readonly damage: string | undefined;
  /** The files that contain the data, if they are on this machine. */
  readonly files: readonly string[];
}
