import type { SchemaState } from './schema-state.ts';

/** What a backup contains, as read from the backup itself. */
export interface BackupReport {
  readonly schema: SchemaState;
  /** Rows per table, in alphabetical order of the table names. */
  readonly rows: ReadonlyMap<string, number>;
}
