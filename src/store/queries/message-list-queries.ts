import { type Kysely, sql } from 'kysely';
import { fileGatewayName, MessagePriority, MessageStatus } from '../../vocabulary/messages.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';

const LISTED = [
  'id',
  'status',
  'mode',
  'template_id as tempid',
  'segments',
  'attempts',
  'queued_on as queuedOn',
  'due_on as dueOn',
  'last_code as code',
  'gateway',
] as const;

const newestMessages = (ofStatus: boolean) =>
  statement((db, v: { status: number; limit: number }) =>
    db
      .selectFrom('message')
      .select(LISTED)
      .$if(ofStatus, (query) => query.where('status', '=', v.status))
      .orderBy('id', 'desc')
      .limit(v.limit),
  );
const newestOfAll = newestMessages(false);
const newestOfStatus = newestMessages(true);

const wholeMessage = statement((db, v: { id: number }) => db.selectFrom('message').selectAll().where('id', '=', v.id));

const countByStatus = statement((db, _: object) =>
  db
    .selectFrom('message')
    .select((row) => ['status', row.fn.countAll<number>().as('count')])
    .groupBy('status')
    .orderBy('status'),
);

const countInFiles = statement((db, _: object) =>
  db
    .selectFrom('message')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('status', '=', MessageStatus.Submitted)
    .where('gateway', 'like', fileGatewayName('%')),
);

/** The maximum number of rows of a status that are counted while calls are served, because counting scans an index. */
export const MOST_COUNTED = 50_000;

const countSome = statement((db, v: { status: number; limit: number }) =>
  db
    .selectFrom(
      db.selectFrom('message').select('status').where('status', '=', v.status).limit(v.limit).as('of_the_status'),
    )
    .select((row) => row.fn.countAll<number>().as('count')),
);

const oldestQueued = statement((db, _: object) =>
  db
    .selectFrom('message')
    .select((row) => row.fn.min<number | null>('queued_on').as('queuedOn'))
    .where('status', '=', MessageStatus.Queued),
);

/** One that is held counts from the time at which it may be sent. */
const waitingSince = statement((db, v: { limit: number; now: number }, { own, stored }) =>
  db
    .selectFrom(
      db
        .selectFrom('message')
        .select((row) =>
          row
            .case()
            .when('priority', '=', MessagePriority.Held)
            .then(row.ref('due_on'))
            .else(row.ref('queued_on'))
            .end()
            .as('since'),
        )
        .where('status', '=', MessageStatus.Queued)
        .where((row) => row.or([row('priority', '>', MessagePriority.Held), row('due_on', '<=', stored(v.now, v.now))]))
        .limit(v.limit)
        .as('waiting'),
    )
    .select((row) => row.fn.min<number | null>(own('since', v.now)).as('since')),
);

const AGAIN = {
  status: MessageStatus.Queued,
  attempts: 0,
  unanswered: 0,
  submitted_on: null,
  finished_on: null,
  gateway: null,
  gateway_reference: null,
} as const;

/** Messages that somebody may want to send again. */
const UNSENT = [MessageStatus.Failed, MessageStatus.Expired, MessageStatus.Rejected, MessageStatus.Dead];

const sendAgain = statement((db, v: { id: number; now: number }, { stored }) =>
  db
    .updateTable('message')
    // Someone who sends this message again wants it sent, however late.
    .set({ ...AGAIN, due_on: stored(v.now, v.now), expires_on: null })
    .where('id', '=', v.id)
    .where('status', 'in', UNSENT)
    .where('mobile', 'is not', null)
    .returning('id'),
);

const sendDeadAgain = statement((db, v: { now: number }, { stored }) =>
  db
    .updateTable('message')
    .set({ ...AGAIN, due_on: stored(v.now, v.now) })
    .where('status', '=', MessageStatus.Dead)
    .where('mobile', 'is not', null)
    .where((row) => row.or([row('expires_on', 'is', null), row('expires_on', '>', stored(v.now, v.now))]))
    .returning('id'),
);

const CANCELLED = { status: MessageStatus.Rejected, last_code: 'cancelled' } as const;

const cancelQueued = statement((db, v: { id: number; now: number }, { stored }) =>
  db
    .updateTable('message')
    .set({ ...CANCELLED, finished_on: stored(v.now, v.now) })
    .where('id', '=', v.id)
    .where('status', '=', MessageStatus.Queued)
    .returning('id'),
);

/** Which messages to cancel: those with a status, queued before an instant (ms), with a template number within a range. */
export interface MessageChoice {
  readonly status: typeof MessageStatus.Queued | typeof MessageStatus.Dead;
  readonly queuedBefore: number;
  readonly firstTemplate: number;
  readonly lastTemplate: number;
}

const chosenMessages = (db: Kysely<Schema>, v: MessageChoice) =>
  db
    .selectFrom('message')
    .where('status', '=', v.status)
    .where('queued_on', '<', v.queuedBefore)
    .where('template_id', '>=', v.firstTemplate)
    .where('template_id', '<=', v.lastTemplate);

const countChosen = statement((db, v: MessageChoice) =>
  chosenMessages(db, v).select((row) => row.fn.countAll<number>().as('count')),
);

/** The maximum number of rows that one transaction cancels, because nobody else can write meanwhile. */
const MOST_CANCELLED = 1000;

/** Not the plain column: SQLite would then scan its index over all messages instead of finding these few by their ids. */
const STATUS_OF_ROW = sql<number>`status + 0`;

const cancelChosen = statement((db, v: MessageChoice & { readonly now: number; readonly limit: number }, { stored }) =>
  db
    .updateTable('message')
    .set({ ...CANCELLED, finished_on: stored(v.now, v.now) })
    .where('id', 'in', chosenMessages(db, v).select('id').limit(v.limit))
    // Another process may have taken the message meanwhile.
    .where(STATUS_OF_ROW, '=', v.status)
    .returning('id'),
);

const NO_LONGER_WAITING = [MessageStatus.Submitted, MessageStatus.Delivered, ...UNSENT];

const deleteOld = statement((db, v: { until: number; limit: number }) =>
  db
    .deleteFrom('message')
    .where(
      'id',
      'in',
      db
        .selectFrom('message')
        .select('id')
        .where('status', 'in', NO_LONGER_WAITING)
        .where('queued_on', '<', v.until)
        .limit(v.limit),
    )
    .where(STATUS_OF_ROW, 'in', NO_LONGER_WAITING)
    .returning('id'),
);

/** The outbox as its operator sees it. */
export class MessageListQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** Newest first, without phone number and text; if a status is given, only those with it. */
  list({ status, limit }: { readonly status: number | undefined; readonly limit: number }) {
    return status === undefined
      ? newestOfAll(this.#session, { status: 0, limit })
      : newestOfStatus(this.#session, { status, limit });
  }

  /** The whole row. */
  async show(id: number) {
    return (await wholeMessage(this.#session, { id }))[0];
  }

  /** The number of messages for each status that occurs. Reads an index over all stored messages. */
  countByStatus(): Promise<readonly { readonly status: number; readonly count: number }[]> {
    return countByStatus(this.#session, {});
  }

  /** How many of the Submitted messages were written to a file. */
  async countInFiles(): Promise<number> {
    return Number((await countInFiles(this.#session, {}))[0]?.count ?? 0);
  }

  /** Messages with a status, at most 50,000. */
  async count(status: number): Promise<number> {
    return Number((await countSome(this.#session, { status, limit: MOST_COUNTED }))[0]?.count ?? 0);
  }

  /** Instant as stored, ms, at which the message that has waited longest was queued; undefined if none is waiting. */
  async oldestQueuedOn(): Promise<number | undefined> {
    return (await oldestQueued(this.#session, {}))[0]?.queuedOn ?? undefined;
  }

  /** Instant, ms, since which the message that has waited longest could have been sent; undefined if none is waiting. */
  async waitingSince(now: number): Promise<number | undefined> {
    return (await waitingSince(this.#session, { limit: MOST_COUNTED, now }))[0]?.since ?? undefined;
  }

  /** Queues a message that is Failed, Expired, Rejected or Dead. Returns false if no such message has that id, or if it was erased. */
  async sendAgain(id: number, now: number): Promise<boolean> {
    return (await sendAgain(this.#session, { id, now })).length === 1;
  }

  /** Queues all Dead messages, except those that nobody wants any longer, such as yesterday's one-time passwords; returns how many. */
  async sendDeadAgain(now: number): Promise<number> {
    return (await sendDeadAgain(this.#session, { now })).length;
  }

  /** Rejects a message that is Queued. Returns false if no queued message has that id. */
  async cancel(id: number, now: number): Promise<boolean> {
    return (await cancelQueued(this.#session, { id, now })).length === 1;
  }

  /** How many messages `cancelChosen` would reject in total if it were called until none is left. */
  async countChosen(chosen: MessageChoice): Promise<number> {
    return Number((await countChosen(this.#session, chosen))[0]?.count ?? 0);
  }

  /** Rejects at most 1,000 messages, as `cancel` does; returns how many. */
  async cancelChosen(chosen: MessageChoice, now: number): Promise<number> {
    return (await cancelChosen(this.#session, { ...chosen, now, limit: MOST_CANCELLED })).length;
  }

  /** Deletes at most `limit` messages that were queued before an instant (ms) and are no longer waiting; returns how many. */
  async forget(until: number, limit: number): Promise<number> {
    return (await deleteOld(this.#session, { until, limit })).length;
  }
}
