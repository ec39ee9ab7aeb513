import type { PostgresLocation } from '../store/database-location.ts';
import { startPool } from '../store/postgres/postgres-pool.ts';
import { missingRights, requireRights } from '../store/postgres/rights.ts';
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
  /** Roles that may take the locks of the service, although they may not book. */
  readonly lockers: readonly string[];
  readonly hasLargeObjects: boolean;
  /** The service's tables of which another schema, earlier in the search path, has one of the same name. */
  readonly hidden: readonly string[];
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
    has_schema_privilege('public', current_schema(), 'CREATE') AS "anyoneMayCreate",
    ARRAY(SELECT quote_ident(rolname) FROM pg_roles WHERE rolcanlogin AND NOT rolsuper AND rolname <> session_user
      AND has_database_privilege(oid, current_database(), 'CONNECT')
      AND NOT coalesce(has_table_privilege(oid, to_regclass('appointment'), 'INSERT'), false)
      AND EXISTS (SELECT 1 FROM pg_proc WHERE proname ~ '^pg_(try_)?advisory_(xact_)?lock'
        AND has_function_privilege(pg_roles.oid, pg_proc.oid, 'EXECUTE')) ORDER BY rolname) AS "lockers",
    EXISTS (SELECT 1 FROM pg_largeobject_metadata) AS "hasLargeObjects",
    ARRAY(SELECT relname::text FROM pg_class WHERE relkind = 'r' AND NOT pg_table_is_visible(oid) AND relnamespace
      = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('kysely_migration')) ORDER BY relname) AS "hidden"`;

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
      const description = serverDescription(server);
      await requireRights(client, description, false);
      const taken = await takenSteps(client);
      const schema = schemaState(taken);
      const flaw = row.standby ? STANDBY : await sessionFlaw(client, pool);
      return {
        description,
        exists: true,
        schema,
        taken,
        unusable: flaw ?? (await missingRights(client, true)),
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

function rights(row: Row): readonly Finding[] {
  const { database, user, isSuperuser, anyoneMayConnect, anyoneMayCreate, lockers, hasLargeObjects } = row;
  const warnings = [
    isSuperuser &&
      `${user} is a superuser, who may run programs on the database server; use a role without that right: docs/operators/operating.md.`,
    anyoneMayConnect && `Every role of the server may connect to ${database}, and can then block all writes; ${AGAIN}.`,
    !anyoneMayConnect &&
      lockers.length > 0 &&
      `${lockers.join(', ')} may take the service's locks, and can then block all writes; ${AGAIN}, or REVOKE CONNECT ON DATABASE ${database} from them.`,
    anyoneMayCreate && `Every role may create functions and tables among those of the service; ${AGAIN}.`,
    hasLargeObjects &&
      'There are large objects, of which the service makes none, so somebody else filled the disk with them: SELECT lo_unlink(oid) FROM pg_largeobject_metadata removes them, as a superuser.',
  ].flatMap((text) => (text === false ? [] : [warning('rights', text)]));
  if (row.hidden.length === 0) return warnings;
  const text = `Another schema in the search_path has tables of the same name in front of ${row.hidden.join(', ')}`;
  return [wrong('rights', `${text}; remove them, or ALTER ROLE ${user} SET search_path.`), ...warnings];
}

const AGAIN = 'run deploy/postgres/rights.sql again';
