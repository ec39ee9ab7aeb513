import { type Kysely, sql } from 'kysely';

/** As many rows as are read at a time. */
const PAGE = 10_000;

interface ComparedRow {
  readonly center_id: number;
  readonly id: number;
  readonly text: string;
  readonly key: string | null;
}

/** Brings the keys of appointments, which are what is compared, into a new form. */
export const compareAnew =
  (textColumn: string, keyColumn: string, keyOf: (text: string) => string | null) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const [text, key] = [sql.ref(textColumn), sql.ref(keyColumn)];
    let [center, last] = [-(2 ** 31), -1];
    for (let count = PAGE; count === PAGE; ) {
      const { rows } = await sql<ComparedRow>`SELECT center_id, id, ${text} AS text, ${key} AS key FROM appointment
        WHERE (center_id, id) > (${sql.lit(center)}, ${sql.lit(last)}) AND ${text} IS NOT NULL
        ORDER BY center_id, id LIMIT ${sql.lit(PAGE)}`.execute(db);
      for (const row of rows) {
        [center, last] = [row.center_id, row.id];
        const anew = keyOf(row.text);
        if (anew === row.key) continue;
        await sql`UPDATE appointment SET ${key} = ${anew} WHERE center_id = ${center} AND id = ${last}`.execute(db);
      }
      count = rows.length;
    }
  };
