import type pg from 'pg';
import { type MovedRow, type MovedTable, selectRows } from '../move/moved-table.ts';

/** Rows per fetch. */
const BATCH = 2000;

/** All rows of a table, in batches, within a transaction on the connection. */
export async function* postgresRows(client: pg.PoolClient, table: MovedTable): AsyncGenerator<readonly MovedRow[]> {
  await client.query(`DECLARE moved CURSOR FOR ${selectRows(table)}`);
  for (;;) {
    const { rows } = await client.query<unknown[]>({ text: `FETCH ${BATCH} FROM moved`, rowMode: 'array' });
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE moved');
}
