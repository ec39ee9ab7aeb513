import type pg from 'pg';
import type { PostgresLocation } from '../store/database-location.ts';
import { startPool } from '../store/postgres/postgres-pool.ts';
import { connectTo, serverDescription, serverOf, sessionFlaw, takenSteps } from '../store/postgres/server.ts';
import { schemaState } from '../store/schema-state.ts';
import { guards, postgresDifferences } from './compare-schema.ts';
import { type Finding, type InspectedDatabase, ok, warning, wrong } from './finding.ts';

interface Row {
  readonly standby: boolean;
  readonly fsync: string;
  readonly fullPageWrites: string;
  /** null if no standby is connected. */
  readonly waitsForStandby: boolean | null;
  /** The sessions of this role that wait for a standby; null if no standby is missing. */
  readonly withoutStandby: number | null;
  readonly mostConnections: number;
  readonly database: string;
  readonly user: string;
  readonly isSuperuser: boolean;
  readonly anyoneMayConnect: boolean;
  readonly anyoneMayCreate: boolean;
}

/** A role or a database without a limit has -1. */
const QUESTION = `
  SELECT pg_is_in_recovery() AS "standby",
    current_setting('fsync') AS "fsync", current_setting('full_page_writes') AS "fullPageWrites",
    CASE WHEN EXISTS (SELECT 1 FROM pg_stat_replication) THEN current_setting('synchronous_standby_names') <> ''
      AND current_setting('synchronous_commit') NOT IN ('off', 'local') END AS "waitsForStandby",
    CASE WHEN current_setting('synchronous_standby_names') <> '' AND NOT EXISTS (SELECT 1 FROM pg_stat_replication)
      THEN (SELECT count(*)::int FROM pg_stat_activity WHERE wait_event = 'SyncRep') END AS "withoutStandby",
    least(current_setting('max_connections')::int,
      (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = session_user),
      (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())) AS "mostConnections",
    quote_ident(current_database()) AS "database", quote_ident(session_user) AS "user",
    (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) AS "isSuperuser",
    has_database_privilege('public', current_database(), 'CONNECT') AS "anyoneMayConnect",
    has_schema_privilege('public', current_schema(), 'CREATE') AS "anyoneMayCreate"`;

/**
 * Inspects a database without changing it. Throws ServiceError `Unavailable` if it cannot be reached, and otherwise the error of
 * PostgreSQL.
 */
export async function inspectPostgres(location: PostgresLocation): Promise<InspectedDatabase> {
  const pool = startPool(location);
  try {
    const client = await connectTo(pool, location);
    try {
      const server = await serverOf(client);
      const { rows } = await client.query<Row>(QUESTION);
      const [row] = rows;
      if (row === undefined) throw new Error('PostgreSQL does not answer a question about itself');
      const taken = await takenSteps(client);
      const schema = schemaState(taken);
      const flaw = row.standby ? STANDBY : await sessionFlaw(client, pool);
      return {
        description: serverDescription(server),
        exists: true,
        schema,
        unusable: flaw ?? (schema === 'current' ? await missingRights(client) : undefined),
        findings: [
          ...(flaw === undefined && schema !== 'none' && schema !== 'newer'
            ? [guards(await postgresDifferences(client, taken))]
            : []),
          ...rights(row),
          durability('fsync', row.fsync),
          durability('full_page_writes', row.fullPageWrites),
          ...standby(row),
          connectionCount(location.poolSize, row.mostConnections),
        ],
      };
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

const STANDBY = 'the server is a standby; make DATABASE_URL name the primary';

function durability(name: string, value: string): Finding {
  return value === 'on'
    ? ok('durability', `${name} is on`)
    : wrong('durability', `${name} is ${value}; set it to on, or a crash loses bookings.`);
}

function standby({ waitsForStandby, withoutStandby }: Row): readonly Finding[] {
  if (withoutStandby !== null) {
    const text = `Nothing can be booked: no standby is connected, and ${withoutStandby} sessions wait for one.`;
    return [wrong('standby', `${text} What to do: docs/operators/operating.md.`)];
  }
  if (waitsForStandby === null) return [];
  if (waitsForStandby) return [ok('standby', 'a booking is on its disk before it is acknowledged')];
  const text =
    'The server does not wait for its standby: if the standby takes over, the last acknowledged bookings may be lost.';
  return [warning('standby', `${text} Set synchronous_standby_names on both servers.`)];
}

/** Replicas and other programs share what the server allows. */
function connectionCount(wanted: number, allowed: number): Finding {
  const text = `${wanted} wanted, ${allowed} allowed`;
  if (wanted <= allowed) return ok('connections', text);
  const limits = 'max_connections, or the CONNECTION LIMIT of the role or the database';
  return warning('connections', `${text}; reduce DATABASE_POOL_SIZE, or raise ${limits}.`);
}

function rights({ database, user, isSuperuser, anyoneMayConnect, anyoneMayCreate }: Row): readonly Finding[] {
  return [
    isSuperuser &&
      `${user} is a superuser, who may run programs on the database server; use a role without that right: docs/operators/operating.md.`,
    anyoneMayConnect &&
      `Every role of the server may connect to ${database}, and can then block all writes; REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC, and GRANT it to the roles that need it.`,
    anyoneMayCreate &&
      'Every role may create functions and tables among those of the service; REVOKE CREATE ON SCHEMA public FROM PUBLIC.',
  ].flatMap((text) => (text === false ? [] : [warning('rights', text)]));
}

/** Why a connection's user cannot serve calls; undefined if it can. */
async function missingRights(client: pg.PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ table: string }>(`
    SELECT relname AS "table" FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname NOT LIKE 'kysely%'
      AND NOT (has_table_privilege(oid, 'SELECT') AND has_any_column_privilege(oid, 'INSERT'))
    ORDER BY relname`);
  if (rows.length === 0) return undefined;
  return `this user may not add rows to ${rows.map(({ table }) => table).join(', ')}; grant it these rights again, as docs/operators/privacy.md says`;
}
