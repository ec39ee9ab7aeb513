import { sql } from 'kysely';
import { fileGatewayName, MessageStatus } from '../../vocabulary/messages.ts';
import { ERASED } from '../../vocabulary/patients.ts';
import { type Session, statement } from '../statement.ts';

const LISTED = [
  'id',
  'status',
  'mode',
  'tempid',
  'segments',
  'attempts',
  'queued_on as queuedOn',
  'due_on as dueOn',
  'last_code as code',
  'gateway',
] as const;

const newestMessages = statement((db, v: { limit: number }) =>
  db
    .selectFrom('message')
    .select([...LISTED])
    .orderBy('id', 'desc')
    .limit(v.limit),
);

const newestOfStatus = statement((db, v: { status: number; limit: number }) =>
  db
    .selectFrom('message')
    .select([...LISTED])
    .where('status', '=', v.status)
    .orderBy('id', 'desc')
    .limit(v.limit),
);

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

const oldestQueued = statement((db, _: object) =>
  db
    .selectFrom('message')
    .select('queued_on as queuedOn')
    .where('status', '=', MessageStatus.Queued)
    .orderBy('queued_on')
    .limit(1),
);

const AGAIN = {
  status: MessageStatus.Queued,
  attempts: 0,
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
    .where('mobile', '<>', ERASED.phone)
    .returning('id'),
);

const sendDeadAgain = statement((db, v: { now: number }, { stored }) =>
  db
    .updateTable('message')
    .set({ ...AGAIN, due_on: stored(v.now, v.now) })
    .where('status', '=', MessageStatus.Dead)
    .where('mobile', '<>', ERASED.phone)
    .where((row) => row.or([row('expires_on', 'is', null), row('expires_on', '>', stored(v.now, v.now))]))
    .returning('id'),
);

const cancelQueued = statement((db, v: { id: number; now: number }) =>
  db
    .updateTable('message')
    .set({ status: MessageStatus.Rejected, last_code: 'cancelled', finished_on: v.now })
    .where('id', '=', v.id)
    .where('status', '=', MessageStatus.Queued)
    .returning('id'),
);

/** Which messages to cancel: those with a status, queued before an instant (ms), with a template number within a range. */
export interface CancelledMessages {
  readonly status: typeof MessageStatus.Queued | typeof MessageStatus.Dead;
  readonly queuedBefore: number;
  readonly firstTemplate: number;
  readonly lastTemplate: number;
}

/** The maximum number of rows that one transaction cancels, because nobody else can write meanwhile. */
const MOST_CANCELLED = 1000;

const cancelSome = statement((db, v: CancelledMessages & { readonly now: number; readonly limit: number }) =>
  db
    .updateTable('message')
    .set({ status: MessageStatus.Rejected, last_code: 'cancelled', finished_on: v.now })
    .where('id', 'in', (query) =>
      query
        .selectFrom('message as chosen')
        .select('chosen.id')
        .where('chosen.status', '=', v.status)
        .where('chosen.queued_on', '<', v.queuedBefore)
        .where('chosen.tempid', '>=', v.firstTemplate)
        .where('chosen.tempid', '<=', v.lastTemplate)
        .limit(v.limit),
    )
    // Not the plain column, for the reason given below. Another process may have taken the message meanwhile.
    .where(sql<number>`status + 0`, '=', v.status)
    .returning('id'),
);

const countCancellable = statement((db, v: CancelledMessages) =>
  db
    .selectFrom('message')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('status', '=', v.status)
    .where('queued_on', '<', v.queuedBefore)
    .where('tempid', '>=', v.firstTemplate)
    .where('tempid', '<=', v.lastTemplate),
);

const NO_LONGER_WAITING = [MessageStatus.Submitted, MessageStatus.Delivered, ...UNSENT];

const deleteOld = statement((db, v: { until: number; limit: number }) =>
  db
    .deleteFrom('message')
    .where('id', 'in', (query) =>
      query
        .selectFrom('message as old')
        .select('old.id')
        .where('old.status', 'in', NO_LONGER_WAITING)
        .where('old.queued_on', '<', v.until)
        .limit(v.limit),
    )
    // Not the plain column: SQLite would then scan its index over all messages instead of finding these few by their ids.
    .where(sql<number>`status + 0`, 'in', NO_LONGER_WAITING)
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
      ? newestMessages(this.#session, { limit })
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

  /** Instant, ms, at which the message that has waited longest was queued; undefined if none is waiting. */
  async oldestQueuedOn(): Promise<number | undefined> {
    return (await oldestQueued(this.#session, {}))[0]?.queuedOn;
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

  /** How many messages `cancelSome` would reject in total if it were called until none is left. */
  async countCancellable(chosen: CancelledMessages): Promise<number> {
    return Number((await countCancellable(this.#session, chosen))[0]?.count ?? 0);
  }

  /** Rejects at most 1,000 messages, as `cancel` does; returns how many. */
  async cancelSome(chosen: CancelledMessages, now: number): Promise<number> {
    return (await cancelSome(this.#session, { ...chosen, now, limit: MOST_CANCELLED })).length;
  }

  /** Deletes at most `limit` messages that were queued before an instant (ms) and are no longer waiting; returns how many. */
  async forget(until: number, limit: number): Promise<number> {
    return (await deleteOld(this.#session, { until, limit })).length;
  }
}
