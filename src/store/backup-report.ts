import type { SchemaState } from './schema-state.ts';

/** What a backup holds, as read from the backup itself. */
export interface BackupReport {
  readonly schema: SchemaState;
  /** Rows per table, in the order of the tables' names. */
  readonly rows: ReadonlyMap<string, number>;
}
