import { type Session, statement } from '../statement.ts';

/** Queued, Sending and Dead: what waits, and what waits for an operator. All others pile up for months. */
const WAITING = [1, 2, 8];
/** Rows that are counted at most: an outbox that is as full needs help, however full it is. */
const MOST_COUNTED = 10_000;

const waiting = statement((db, v: { limit: number }) =>
  db
    .selectFrom(db.selectFrom('message').select('status').where('status', 'in', WAITING).limit(v.limit).as('waiting'))
    .select((row) => ['status', row.fn.countAll<number>().as('count')])
    .groupBy('status'),
);

/** How full the outbox is, cheaply enough to ask every few seconds. */
export class OutboxGaugeRecords {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** Messages by status, of those that wait or are dead; a status that none has is left out. Counts 10,000 at most, all together. */
  async waiting(): Promise<ReadonlyMap<number, number>> {
    const rows = await waiting(this.#session, { limit: MOST_COUNTED });
    return new Map(rows.map(({ status, count }) => [status, Number(count)]));
  }
}
