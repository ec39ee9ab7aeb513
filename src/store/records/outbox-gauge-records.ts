import { type Session, statement } from '../statement.ts';

/** Rows of a status that are counted at most: an index is walked for each, beside the calls. */
export const MOST_COUNTED = 50_000;

const countOf = statement((db, v: { status: number; limit: number }) =>
  db
    .selectFrom(
      db.selectFrom('message').select('status').where('status', '=', v.status).limit(v.limit).as('of_the_status'),
    )
    .select((row) => row.fn.countAll<number>().as('count')),
);

/** How full the outbox is, cheaply enough to ask every few seconds. */
export class OutboxGaugeRecords {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** Messages of a status, 50,000 at most. */
  async count(status: number): Promise<number> {
    const [row] = await countOf(this.#session, { status, limit: MOST_COUNTED });
    return Number(row?.count ?? 0);
  }
}
