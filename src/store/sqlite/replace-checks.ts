import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * Replaces the text of some of a table's checks. SQLite cannot change a check, so the table is recreated from the text that originally
 * created it; its rows, counters, indexes and triggers are preserved. Nothing may reference the table. Source: SQLite, "ALTER TABLE", 7.
 */
export async function replaceChecks(
  db: Kysely<Schema>,
  table: string,
  checks: Readonly<Record<string, string>>,
): Promise<void> {
  const run = async (text: string) => (await sql.raw<{ sql: string }>(text).execute(db)).rows.map((row) => row.sql);
  const [made = ''] = await run(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '${table}'`);
  const belongings = await run(
    `SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND tbl_name = '${table}' AND sql IS NOT NULL`,
  );
  let text = made.replace(`"${table}"`, `"new_${table}"`);
  for (const [before, after] of Object.entries(checks)) {
    if (!text.includes(before)) throw new Error(`${table} has no check ${before}`);
    text = text.replace(before, after);
  }
  await run(text);
  await run(`INSERT INTO new_${table} SELECT * FROM ${table}`);
  await run(`DELETE FROM sqlite_sequence WHERE name = 'new_${table}'`);
  await run(
    `INSERT INTO sqlite_sequence (name, seq) SELECT 'new_${table}', seq FROM sqlite_sequence WHERE name = '${table}'`,
  );
  await run(`DROP TABLE ${table}`);
  await run(`ALTER TABLE new_${table} RENAME TO ${table}`);
  for (const belonging of belongings) await run(belonging);
}
