import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import type pg from 'pg';

/** Names of the steps that created the database's current schema. Changes nothing. */
export async function takenSteps(client: pg.PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query(`SELECT to_regclass('${DEFAULT_MIGRATION_TABLE}') IS NOT NULL AS there`);
  if (!rows[0]?.there) return [];
  const steps = await client.query<{ name: string }>(`SELECT name FROM ${DEFAULT_MIGRATION_TABLE}`);
  return steps.rows.map(({ name }) => name);
}
