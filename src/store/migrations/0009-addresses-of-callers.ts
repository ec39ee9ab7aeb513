import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** Each row of the audit contains the caller's address. For existing rows it is no longer known. */
export async function addressesOfCallers({ schema }: Kysely<Schema>) {
  await schema.alterTable('audit_event').addColumn('address', 'text').execute();
}
