import { sql } from 'kysely';
import type pg from 'pg';
import type { Numbers } from '../numbers.ts';

/** The last number that was assigned in a table's column, 0 if none. */
async function lastNumber(on: pg.Pool | pg.PoolClient, table: string, column: string): Promise<number> {
  const found = await on.query<{ name: string }>('SELECT pg_get_serial_sequence($1, $2) AS name', [table, column]);
  const sequence = found.rows[0]?.name;
  const last = await on.query<{ n: number }>(
    `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS n FROM ${sequence}`,
  );
  return last.rows[0]?.n ?? 0;
}

/** Makes the numbers of a table's column continue after the given one, unless they are already beyond it. */
async function goOnAfter(on: pg.Pool | pg.PoolClient, table: string, column: string, last: number): Promise<void> {
  if (last <= (await lastNumber(on, table, column))) return;
  await on.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last]);
}

export const postgresNumbers = (on: pg.Pool | pg.PoolClient): Numbers => ({
  nextAppointmentId: sql<number>`nextval('appointment_number')::integer`,
  overriding: 'OVERRIDING SYSTEM VALUE',
  goOnAfter: (table, last) => goOnAfter(on, table, 'id', last),
});
