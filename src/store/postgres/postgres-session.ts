import { sql } from 'kysely';
import type pg from 'pg';
import {
  APPOINTMENTS,
  AUDITED_TABLES,
  GREATEST_APPOINTMENT,
  greatestAudited,
  HALF_OF_NUMBERS,
  type Numbers,
  type Session,
  type Vitals,
} from '../session.ts';
import { kyselyOn } from './postgres-pool.ts';
import { missingRights } from './rights.ts';

/** The maximum number of statements that a connection keeps prepared. The service has far fewer, unless a query is rebuilt for each call. */
const MOST_PREPARED = 500;

/** Sessions on a pool, or on one of its connections; they share the statements that were compiled. */
export function sessionsOf(pool: pg.Pool): (on: pg.Pool | pg.PoolClient) => Session {
  const db = kyselyOn(pool);
  const compiled: Session['compiled'] = new Map();
  const names = new Map<string, string>();
  return (on) => {
    const query = queryOn(on, names);
    return {
      db,
      compiled,
      numbers: postgresNumbers(on),
      missingRights: () => missingRights(on, true),
      planByValues: async () => void (await on.query('SET LOCAL plan_cache_mode = auto')),
      vitals: () => vitalsOf(query),
      run: async (text, parameters) => (await query(text, parameters)).rows,
      first: async (text, parameters) => (await query(text, parameters)).rows[0],
      change: async (text, parameters) => (await query(text, parameters)).rowCount ?? 0,
    };
  };
}

/** Every SQL text is prepared under a name once per connection, because planning most of our queries costs more than running them. */
const queryOn =
  (on: pg.Pool | pg.PoolClient, names: Map<string, string>) =>
  (text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> => {
    let name = names.get(text);
    if (name === undefined && names.size < MOST_PREPARED) {
      name = `s${names.size}`;
      names.set(text, name);
    }
    const values = parameters as unknown[];
    return on.query(name === undefined ? { text, values } : { name, text, values });
  };

/** Makes the numbers of a table continue after the given one, unless they are already beyond it. */
async function goOnAfter(on: pg.Pool | pg.PoolClient, table: string, last: number): Promise<void> {
  await on.query(
    `SELECT setval(numbers, $2) FROM (SELECT pg_get_serial_sequence($1, 'id')::regclass AS numbers) AS of_table
    WHERE coalesce(pg_sequence_last_value(numbers), 0) < $2`,
    [table, last],
  );
}

/** The tables whose rows PostgreSQL numbers. */
const NUMBERED = `SELECT table_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND column_name = 'id' AND is_identity = 'YES'`;

/** Sequences are not replicated with the rows that have their numbers. */
async function vitalsOf(query: ReturnType<typeof queryOn>): Promise<Vitals> {
  const { rows } = await query(NUMBERED, []);
  const greatest = rows.map(({ name }) => [name, `(SELECT max(id) FROM ${name})`]);
  const audited = Object.entries(AUDITED_TABLES).map(([name, column]) => [name, greatestAudited(column)]);
  const all = [[APPOINTMENTS, GREATEST_APPOINTMENT], ...greatest, ...audited];
  const numbered = all.map(([name, most]) => `('${name}', ${most})`);
  const found = await query(
    `SELECT name, bool_or(coalesce(greatest > last, false)) AS behind, bool_or(last > ${HALF_OF_NUMBERS}) AS "usedUp"
      FROM (SELECT name, greatest, coalesce(pg_sequence_last_value(pg_get_serial_sequence(name, 'id')::regclass), 0) AS last
        FROM (VALUES ${numbered.join(', ')}) AS numbered (name, greatest)) AS numbers
      GROUP BY name ORDER BY name`,
    [],
  );
  const namesOf = (flaw: keyof Vitals) => found.rows.filter((row) => row[flaw]).map(({ name }) => name);
  return { behind: namesOf('behind'), usedUp: namesOf('usedUp') };
}

const postgresNumbers = (on: pg.Pool | pg.PoolClient): Numbers => ({
  nextAppointmentId: sql<number>`nextval('appointment_number')::integer`,
  overriding: 'OVERRIDING SYSTEM VALUE',
  goOnAfter: (table, last) => goOnAfter(on, table, last),
  replan: async (table) => void (await on.query(`ANALYZE ${table}`)),
});
