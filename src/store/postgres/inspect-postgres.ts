import type { PostgresLocation } from '../database-location.ts';
import type { DatabaseState } from '../database-state.ts';
import { schemaState } from '../schema-state.ts';
import { cannotBeUsed } from './cannot-be-used.ts';
import { CONNECTION_LIMITS, type ConnectionLimits, connectionLimit } from './connection-limit.ts';
import { startPool } from './postgres-pool.ts';
import { requireOwnSession } from './require-own-session.ts';
import { missingRights } from './require-rights.ts';
import { SERVER_TIME } from './server-clock.ts';
import { takenSteps } from './taken-steps.ts';

interface Row extends ConnectionLimits {
  readonly version: string;
  readonly database: string;
  readonly now: number;
  readonly standby: boolean;
  readonly readOnly: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly waitsForStandby: boolean | null;
}

/**
 * Inspects a database without changing it. Throws ServiceError `Unavailable` if it cannot be reached, and otherwise the error of
 * PostgreSQL. `clock` returns milliseconds since the epoch.
 */
export async function inspectPostgres(location: PostgresLocation, clock: () => number): Promise<DatabaseState> {
  const pool = startPool(location);
  try {
    const client = await pool.connect().catch((error: unknown) => {
      throw cannotBeUsed(location, error);
    });
    try {
      const asked = clock();
      const { rows } = await client.query<Row>(`
        SELECT current_setting('server_version') AS "version", current_database() AS "database",
          ${SERVER_TIME} AS "now", pg_is_in_recovery() AS "standby",
          current_setting('transaction_read_only') AS "readOnly", current_setting('fsync') AS "fsync",
          current_setting('full_page_writes') AS "fullPageWrites",
          CASE WHEN EXISTS (SELECT 1 FROM pg_stat_replication) THEN current_setting('synchronous_standby_names') <> ''
            AND current_setting('synchronous_commit') NOT IN ('off', 'local') END AS "waitsForStandby",
          ${CONNECTION_LIMITS}`);
      const answered = clock();
      const [row] = rows;
      if (row === undefined) throw new Error('PostgreSQL does not answer a question about itself');
      await requireOwnSession(client, pool);
      const schema = schemaState(await takenSteps(client));
      return {
        description: `PostgreSQL ${row.version.split(' ')[0]} at ${client.host}:${client.port}, database ${row.database}`,
        exists: true,
        schema,
        readOnly: readOnlyWords(row) ?? (schema === 'current' ? await missingRights(client) : undefined),
        durability: [
          { name: 'fsync', is: row.fsync, expected: 'on' },
          { name: 'full_page_writes', is: row.fullPageWrites, expected: 'on' },
        ],
        waitsForStandby: row.waitsForStandby ?? undefined,
        connectionLimit: connectionLimit(row),
        clockDifference: row.now - (asked + answered) / 2,
        damage: undefined,
        files: [],
      };
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

function readOnlyWords({ standby, readOnly }: Row): string | undefined {
  if (standby) return 'the server is a standby; make DATABASE_URL name the primary';
  return readOnly === 'on' ? 'the database accepts no writes; turn default_transaction_read_only off' : undefined;
}
