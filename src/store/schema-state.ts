import { SCHEMA_STEPS } from './migrate.ts';

/** A database's schema beside this program's: `none` is no database of the service, or an empty one. */
export type SchemaState = 'current' | 'older' | 'newer' | 'none';

/** What the names of the steps that a database was made by say. */
export function schemaState(taken: readonly string[]): SchemaState {
  if (taken.length === 0) return 'none';
  if (taken.some((step) => !SCHEMA_STEPS.includes(step))) return 'newer';
  return SCHEMA_STEPS.every((step) => taken.includes(step)) ? 'current' : 'older';
}
