import type { Kysely } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

/**
 * The audit's checks compare with each value in turn. For each inserted row, SQLite builds a table of the values of an IN: for these two
 * checks, that was half of the cost of an audit row.
 */
export async function checksOfTheAudit(db: Kysely<Schema>, { cheapenChecks }: DatabaseDifferences) {
  await cheapenChecks(db, 'audit_event', {
    "action in ('C', 'R', 'U', 'E')": "action = 'C' or action = 'R' or action = 'U' or action = 'E'",
    'outcome in (0, 4, 8)': 'outcome = 0 or outcome = 4 or outcome = 8',
  });
}
