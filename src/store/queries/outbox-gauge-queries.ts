import { MessageStatus } from '../../vocabulary/messages.ts';
import { type Session, statement } from '../statement.ts';

/** The maximum number of rows of a status that are counted, because counting scans an index for each status while calls are served. */
export const MOST_COUNTED = 50_000;

const countOf = statement((db, v: { status: number; limit: number }) =>
  db
    .selectFrom(
      db.selectFrom('message').select('status').where('status', '=', v.status).limit(v.limit).as('of_the_status'),
    )
    .select((row) => row.fn.countAll<number>().as('count')),
);

const oldestQueued = statement((db, v: { now: number }, { own }) =>
  db
    .selectFrom('message')
    .select([own('queued_on', v.now).as('queuedOn'), 'priority'])
    .where('status', '=', MessageStatus.Queued)
    .orderBy('queued_on')
    .limit(1),
);

const oldestAbove = statement((db, v: { priority: number; limit: number; now: number }, { own }) =>
  db
    .selectFrom(
      db
        .selectFrom('message')
        .select('queued_on')
        .where('status', '=', MessageStatus.Queued)
        .where('priority', '>', v.priority)
        .limit(v.limit)
        .as('above'),
    )
    .select((row) => row.fn.min<number | null>(own('queued_on', v.now)).as('queuedOn')),
);

const firstDue = statement((db, v: { priority: number; now: number }, { own, stored }) =>
  db
    .selectFrom('message')
    .select(own('due_on', v.now).as('dueOn'))
    .where('status', '=', MessageStatus.Queued)
    .where('priority', '=', v.priority)
    .where('due_on', '<=', stored(v.now, v.now))
    .orderBy('due_on')
    .limit(1),
);

/** How full the outbox is; cheap enough to query every few seconds. */
export class OutboxGaugeQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** Messages with a status, at most 50,000. */
  async count(status: number): Promise<number> {
    const [row] = await countOf(this.#session, { status, limit: MOST_COUNTED });
    return Number(row?.count ?? 0);
  }

  /**
   * Instant, ms, since which the message that has waited longest could have been sent; undefined if none is waiting. A message with the
   * lowest priority, `heldPriority`, may be sent only once it is due, so it counts as waiting only from then on.
   */
  async waitingSince(heldPriority: number, now: number): Promise<number | undefined> {
    const [oldest] = await oldestQueued(this.#session, { now });
    if (oldest === undefined || oldest.priority !== heldPriority) return oldest?.queuedOn;
    const [above] = await oldestAbove(this.#session, { priority: heldPriority, limit: MOST_COUNTED, now });
    const [held] = await firstDue(this.#session, { priority: heldPriority, now });
    const instants = [above?.queuedOn, held?.dueOn].filter((instant) => typeof instant === 'number');
    return instants.length === 0 ? undefined : Math.min(...instants);
  }
}
