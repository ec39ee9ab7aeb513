import { DatabaseSync } from 'node:sqlite';
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import pg from 'pg';
import type { Engine } from '../store/migrations/0001-tables.ts';
import { SCHEMA_STEPS } from '../store/migrations/migrate.ts';
import { statementsOf } from '../store/migrations/step.ts';
import { quoted } from '../vocabulary/text.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

/** One table, index, trigger and so on, and how it is defined. */
interface Part {
  /** Its kind and name, such as `trigger audit_event_refuses_update`. */
  readonly part: string;
  readonly definition: string;
  /** The table to which it belongs; null for what stands alone, undefined if it is not known. */
  readonly table?: string | null;
}

/** More than these do not help. */
const MOST_DIFFERENCES = 5;

/**
 * How a file's schema differs from the one that its steps create, in words such as "trigger x is missing"; empty if it does not. Without
 * its guards, a database would accept what the service relies on it to refuse.
 */
export function sqliteDifferences(database: DatabaseSync, taken: readonly string[]): readonly string[] {
  const fresh = new DatabaseSync(':memory:', { defensive: false });
  try {
    for (const statement of statementsOfAll(taken, 'sqlite')) fresh.exec(statement);
    return differences(sqliteParts(database), sqliteParts(fresh));
  } finally {
    fresh.close();
  }
}

/** Kysely's own tables, and those of SQLite's planner. What somebody defined on them, such as a trigger, is included. */
function sqliteParts(database: DatabaseSync): readonly Part[] {
  return database
    .prepare(
      `SELECT type || ' ' || name AS part, tbl_name || ' ' || coalesce(sql, '') AS definition FROM sqlite_schema
      WHERE type NOT IN ('table', 'index') OR (tbl_name NOT IN (?, ?) AND name NOT GLOB 'sqlite_stat[1-4]')`,
    )
    .all(DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE) as unknown as readonly Part[];
}

/** A schema that exists only within a transaction that is rolled back. */
const FRESH = 'tpws_compared';

/** Insufficient privilege; a standby, which only reads. Source: PostgreSQL, appendix A, "Error Codes". */
const MAY_NOT: readonly unknown[] = ['42501', '25006'];

/**
 * How a PostgreSQL database differs from a new one. Tables, views and functions that somebody else has added are ignored. Changes nothing, but needs the right to
 * create a schema for a moment; undefined where nobody, or not this user, may do that.
 */
export async function postgresDifferences(
  client: pg.PoolClient,
  taken: readonly string[],
): Promise<readonly string[] | undefined> {
  const { rows } = await client.query<{ schema: string }>(
    'SELECT relnamespace::regnamespace AS schema FROM pg_class WHERE oid = to_regclass($1)',
    [DEFAULT_MIGRATION_TABLE],
  );
  const schema = rows[0]?.schema ?? 'public';
  const partsOf = async (name: string): Promise<readonly Part[]> => {
    // Definitions then name whatever is in this schema without its name.
    await client.query(`SET LOCAL search_path = ${name}`);
    return (await client.query<Part>(POSTGRES_PARTS)).rows;
  };
  try {
    await client.query(`BEGIN READ WRITE; CREATE SCHEMA ${FRESH}; SET LOCAL search_path = ${FRESH}`);
    for (const statement of statementsOfAll(taken, 'postgres')) await client.query(statement);
    const expected = await partsOf(FRESH);
    return differences(await partsOf(schema), expected);
  } catch (error) {
    if (error instanceof pg.DatabaseError && MAY_NOT.includes(error.code)) return undefined;
    throw error;
  } finally {
    await client.query('ROLLBACK');
  }
}

/**
 * What the schema in front of the search path defines, in a form that does not depend on its name. `table` is null for what stands alone. A
 * NOT NULL is a property of its column, although PostgreSQL 18 lists it as a constraint as well.
 */
const POSTGRES_PARTS = `
  WITH space AS (SELECT to_regnamespace(current_schema()) AS id),
    relation AS (
      SELECT c.* FROM pg_class c, space WHERE c.relnamespace = space.id AND c.relkind <> 'i' AND c.relname NOT LIKE 'kysely%')
  SELECT CASE relkind WHEN 'r' THEN 'table ' WHEN 'v' THEN 'view ' WHEN 'S' THEN 'sequence ' ELSE 'relation ' END || relname AS part,
    concat_ws(' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity, (SELECT count(*) FROM pg_trigger
      WHERE tgrelid = relation.oid AND tgisinternal AND tgenabled <> 'O'), (SELECT concat_ws(' ', seqtypid, seqstart, seqincrement,
      seqmax, seqmin, seqcache, seqcycle) FROM pg_sequence WHERE seqrelid = relation.oid)) AS definition, NULL AS "table" FROM relation
  UNION ALL SELECT 'column ' || relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity,
    attgenerated, attcollation::regcollation, pg_get_expr(adbin, adrelid)), relname
    FROM relation JOIN pg_attribute ON attrelid = relation.oid AND attnum > 0 AND NOT attisdropped AND relkind <> 'S'
    LEFT JOIN pg_attrdef ON adrelid = relation.oid AND adnum = attnum
  UNION ALL SELECT 'constraint ' || conname, pg_get_constraintdef(pg_constraint.oid), relname
    FROM relation JOIN pg_constraint ON conrelid = relation.oid AND contype NOT IN ('n', 't')
  UNION ALL SELECT 'index ' || indexrelid::regclass, replace(pg_get_indexdef(indexrelid), ' ON ' || current_schema() || '.', ' ON ')
    || indisvalid, relname FROM relation JOIN pg_index ON indrelid = relation.oid
  UNION ALL SELECT 'trigger ' || tgname, concat_ws(' ', pg_get_triggerdef(pg_trigger.oid, true), tgenabled), relname
    FROM relation JOIN pg_trigger ON tgrelid = relation.oid AND NOT tgisinternal
  UNION ALL SELECT 'rule ' || rulename, pg_get_ruledef(pg_rewrite.oid), relname
    FROM relation JOIN pg_rewrite ON ev_class = relation.oid AND relkind = 'r'
  UNION ALL SELECT 'definition of ' || relname, pg_get_viewdef(oid), relname FROM relation WHERE relkind = 'v'
  UNION ALL SELECT 'policy ' || polname, polcmd::text, relname FROM relation JOIN pg_policy ON polrelid = relation.oid
  UNION ALL SELECT 'right of everybody to ' || privilege_type || ' ' || relname, '', relname
    FROM (SELECT relname, relacl FROM relation UNION ALL SELECT relname, attacl FROM relation JOIN pg_attribute ON attrelid = oid)
      AS granted, aclexplode(relacl) WHERE grantee = 0
  UNION ALL SELECT 'child ' || inhrelid::regclass, '', relname FROM relation JOIN pg_inherits ON inhparent = relation.oid
  UNION ALL SELECT option || ' of ' || relname, '', relname
    FROM relation, unnest(reloptions) AS option WHERE option ~ '^autovacuum_enabled=(off|false|no|0)'
  UNION ALL SELECT 'function ' || proname, concat_ws(' ', prosrc, provolatile, prosecdef,
    replace(replace(array_to_string(proconfig, ' '), '"', ''), current_schema(), ''), prolang), NULL
    FROM pg_proc, space WHERE pronamespace = space.id AND prorettype = 'trigger'::regtype`;

/** The statements of the steps that created a database. */
const statementsOfAll = (taken: readonly string[], engine: Engine): readonly string[] =>
  [...SCHEMA_STEPS].flatMap(([name, step]) => (taken.includes(name) ? statementsOf(step, engine) : []));

/** Whatever was added, except for what is known to stand alone, or to belong to a table of somebody else. */
function differences(found: readonly Part[], expected: readonly Part[]): readonly string[] {
  const definitionsOf = (parts: readonly Part[]) => new Map(parts.map(({ part, definition }) => [part, definition]));
  const [is, should] = [definitionsOf(found), definitionsOf(expected)];
  const texts = [
    ...expected.flatMap(({ part, definition }) => {
      if (is.get(part) === definition) return [];
      return `${part} ${is.has(part) ? 'is not the same' : 'is missing'}`;
    }),
    ...found.flatMap(({ part, table }) => {
      const isOurs = table === undefined || (table !== null && should.has(`table ${table}`));
      return isOurs && !should.has(part) ? `${quoted(part)} was added` : [];
    }),
  ];
  const more = texts.length - MOST_DIFFERENCES;
  return more > 0 ? [...texts.slice(0, MOST_DIFFERENCES), `and ${more} more`] : texts;
}

/** What the doctor says about it. */
export function guards(found: readonly string[] | undefined): Finding {
  if (found === undefined) {
    const text =
      'This user may not create a schema to compare it with, so nobody knows whether its guards are complete';
    return warning('guards', `${text}; run tpws doctor as the owner of the tables too.`);
  }
  if (found.length === 0) return ok('guards', 'the schema is as its version creates it');
  return wrong(
    'guards',
    `Not as its version creates it: ${found.join(', ')}. What to do: docs/operators/operating.md.`,
  );
}
