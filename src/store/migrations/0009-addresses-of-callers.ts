import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** Adds the caller's address to the rows of the audit trail. For existing rows it is unknown. */
export async function addressesOfCallers({ schema }: Kysely<Schema>) {
  await schema.alterTable('audit_event').addColumn('address', 'text').execute();
}
