import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** Each row of the audit says where the call came from. Nobody knows any more of those that are there. */
export async function addressesOfCallers({ schema }: Kysely<Schema>) {
  await schema.alterTable('audit_event').addColumn('address', 'text').execute();
}
