import type { Kysely } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

/**
 * The checks of the audit trail compare with each value in turn. For an IN, SQLite builds a table of the values for each inserted row,
 * which for these two checks was half of the cost of inserting an audit row.
 */
export async function checksOfTheAudit(db: Kysely<Schema>, { cheapenChecks }: DatabaseDifferences) {
  await cheapenChecks(db, 'audit_event', {
    "action in ('C', 'R', 'U', 'E')": "action = 'C' or action = 'R' or action = 'U' or action = 'E'",
    'outcome in (0, 4, 8)': 'outcome = 0 or outcome = 4 or outcome = 8',
  });
}
