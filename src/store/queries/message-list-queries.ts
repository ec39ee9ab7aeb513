import { sql, type UpdateObject } from 'kysely';
import { LONGEST_WAIT_SECONDS, MessagePriority, MessageStatus, UNDELIVERED } from '../../vocabulary/messages.ts';
import { MESSAGE_FIELDS } from '../../vocabulary/stored-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { changeStatement, rowStatement, rowsOf, statement, valueStatement } from '../statement.ts';
import { MOST_AT_ONCE, STATUS_OF_ROW } from './outbox-queries.ts';
import { selected } from './record-columns.ts';

const LISTED = selected(MESSAGE_FIELDS, [
  ...(['id', 'status', 'mode', 'tempid', 'segments', 'attempts', 'queuedOn', 'dueOn', 'code', 'gateway'] as const),
]);

const newest = ({ db }: Session, status: number | undefined, limit: number) =>
  db
    .selectFrom('message')
    .select(LISTED)
    .$if(status !== undefined, (query) => query.where('status', '=', status as number))
    .orderBy('id', 'desc')
    .limit(limit);

/** The maximum number of rows of a status that are counted while calls are served, because counting scans an index. */
export const MOST_COUNTED = 50_000;

/** A promotional one counts from the time at which it may be sent, if that was before `latest`. */
const waitingSince = valueStatement((db, v: { limit: number; latest: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('message')
        .select((row) =>
          row
            .case()
            .when('priority', '=', MessagePriority.Promotional)
            .then(row.ref('due_on'))
            .else(row.ref('queued_on'))
            .end()
            .as('since'),
        )
        .where('status', '=', MessageStatus.Queued)
        .where((row) => row.or([row('priority', '>', MessagePriority.Promotional), row('due_on', '<=', v.latest)]))
        .limit(v.limit)
        .as('waiting'),
    )
    .select((row) => row.fn.min<number | null>('since').as('value')),
);

const ACCEPTED = [MessageStatus.Submitted, MessageStatus.Delivered, MessageStatus.Failed];
const NOT_ACCEPTED = [MessageStatus.Queued, MessageStatus.Sending, MessageStatus.Rejected, MessageStatus.Dead];

const WAITING = [MessageStatus.Queued, MessageStatus.Sending];

/** When it ended; an index has it. */
const ENDED_ON = sql<number>`coalesce(finished_on, submitted_on)`;
/** A limit, because the rows are read one by one while calls are served. */
const MOST_ENDED = 10_000;

const endedMessages = statement((db, v: { since: number; limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('message')
        .select((row) => [
          'status',
          'template_id as tempid',
          row.case().when('status', 'in', UNDELIVERED).then(row.ref('last_code')).end().as('code'),
        ])
        .where(ENDED_ON, '>', v.since)
        .where((row) => row.or([row('last_code', 'is', null), row('last_code', '<>', CANCELLED.last_code)]))
        .orderBy(ENDED_ON, 'desc')
        .limit(v.limit)
        .as('ended'),
    )
    .groupBy(['status', 'tempid', 'code'])
    .select((row) => ['status', 'tempid', 'code', row.fn.countAll<number>().as('count')]),
);

const AGAIN = {
  status: MessageStatus.Queued,
  attempts: 0,
  unanswered: 0,
  takeovers: 0,
  submitted_on: null,
  finished_on: null,
  gateway: null,
  gateway_reference: null,
} as const;

/** Messages that somebody may want to send again. */
const UNSENT = [MessageStatus.Failed, MessageStatus.Expired, MessageStatus.Rejected, MessageStatus.Dead];

/** Which messages: those with a status and, if given, a code or a template, that were queued before or ended since an instant. Instants in ms. */
export interface MessageChoice {
  readonly status: number;
  readonly now: number;
  readonly queuedBefore?: number | undefined;
  readonly since?: number | undefined;
  readonly code?: string | undefined;
  readonly template?: number | undefined;
}

const chosenMessages = ({ db }: Session, choice: MessageChoice) => {
  const { status, queuedBefore, since, code, template } = choice;
  return db
    .selectFrom('message')
    .where('status', '=', status)
    .$if(queuedBefore !== undefined, (query) => query.where('queued_on', '<', queuedBefore as number))
    .$if(since !== undefined, (query) => query.where(ENDED_ON, '>=', since as number))
    .$if(code !== undefined, (query) => query.where('last_code', '=', code as string))
    .$if(template !== undefined, (query) => query.where('template_id', '=', template as number));
};

/** Messages to send again: those that are still valid. */
export interface RetryChoice extends Omit<MessageChoice, 'queuedBefore'> {
  /** Also those that may have arrived, because the gateway did not answer, or a process ended before it knew the answer. */
  readonly evenIfDelivered: boolean;
}

const unsentMessages = (session: Session, { evenIfDelivered, ...choice }: RetryChoice) =>
  chosenMessages(session, choice)
    .where('mobile', 'is not', null)
    .where((row) => row.or([row('expires_on', 'is', null), row('expires_on', '>', choice.now)]))
    .$if(!evenIfDelivered, (query) => query.where(sql<number>`unanswered + takeovers`, '=', 0));

type ChosenMessages = ReturnType<typeof chosenMessages>;

/** How many messages `changeSome` would change in total if it were called until none is left. */
async function countOf(session: Session, chosen: ChosenMessages): Promise<number> {
  const [row] = await rowsOf(
    session,
    chosen.select(({ fn }) => fn.countAll<number>().as('count')),
  );
  return row?.count ?? 0;
}

/** Changes at most 1,000 messages whose status is still the chosen one; returns how many. */
function changeSome(
  { db, change }: Session,
  { status }: MessageChoice,
  chosen: ChosenMessages,
  values: UpdateObject<Schema, 'message'>,
): Promise<number> {
  const { sql, parameters } = db
    .updateTable('message')
    .set(values)
    .where('id', 'in', chosen.select('id').limit(MOST_AT_ONCE))
    .where(STATUS_OF_ROW, '=', status)
    .compile();
  return change(sql, parameters);
}

const CANCELLED = { status: MessageStatus.Rejected, last_code: 'cancelled' } as const;

const NO_LONGER_WAITING = [MessageStatus.Submitted, MessageStatus.Delivered, ...UNSENT];

/** The outbox as its operator sees it. */
export const messageListQueries = {
  /** Newest first, without phone number and text; if a status is given, only those with it. */
  list: (session: Session, { status, limit }: { readonly status: number | undefined; readonly limit: number }) =>
    rowsOf(session, newest(session, status, limit)),

  show: rowStatement((db, v: { id: number }) => db.selectFrom('message').selectAll().where('id', '=', v.id)),

  /** The number of messages for each status and gateway that occurs. Reads all stored messages. */
  countByStatus: statement((db, _: object) =>
    db
      .selectFrom('message')
      .select((row) => ['status', 'gateway', row.fn.countAll<number>().as('count')])
      .groupBy(['status', 'gateway'])
      .orderBy('status'),
  ),

  /** Messages with a status, at most 50,000. PostgreSQL plans by both numbers, so they stand in the text. */
  async count(session: Session, status: number): Promise<number> {
    const some = session.db
      .selectFrom('message')
      .select('id')
      .where('status', '=', sql.lit(status))
      .limit(sql.lit(MOST_COUNTED));
    const counted = session.db.selectFrom(some.as('some')).select(({ fn }) => fn.countAll<number>().as('value'));
    return (await rowsOf(session, counted))[0]?.value ?? 0;
  },

  /** Instant, ms, since which the message that has waited longest could have been sent; undefined if none waits, or only promotional ones do. */
  waitingSince: async (session: Session, now: number) => {
    const latest = now - LONGEST_WAIT_SECONDS[MessagePriority.Promotional] * 1000;
    return (await waitingSince(session, { limit: MOST_COUNTED, latest })) ?? undefined;
  },

  /** Of the messages that were queued since an instant (ms): when the gateway last accepted one; null if it did not. */
  acceptedOn: valueStatement((db, v: { since: number }) =>
    db
      .selectFrom('message')
      .where('status', 'in', ACCEPTED)
      .where('queued_on', '>', v.since)
      .select((row) => row.fn.max<number | null>('submitted_on').as('value')),
  ),

  /**
   * How often what was said of messages that the gateway was handed and did not accept: that were queued since an instant (ms), or that still
   * wait and were queued between two others, because it accepts others meanwhile.
   */
  failedCodes: statement((db, v: { since: number; first: number; last: number }) =>
    db
      .selectFrom('message')
      .where('status', 'in', NOT_ACCEPTED)
      .where('queued_on', '>', v.first)
      .where((row) =>
        row.or([
          row('queued_on', '>', v.since),
          row.and([row('status', 'in', WAITING), row('queued_on', '<', v.last)]),
        ]),
      )
      .where('last_code', '<>', CANCELLED.last_code)
      .groupBy('last_code')
      .select((row) => ['last_code as code', row.fn.countAll<number>().as('count')]),
  ),

  /**
   * What became of the messages that ended since an instant (ms), of 10,000 at most, the newest: how many have a status and a template and,
   * if they failed, the same code. One that the gateway accepted ended then, until a receipt arrives. Cancelled ones are left out.
   */
  ended: (session: Session, since: number) => endedMessages(session, { since, limit: MOST_ENDED }),

  /** Queues a message that is Failed, Expired, Rejected or Dead. Returns 0 if no such message has that id, or if it was erased. */
  sendAgain: changeStatement((db, v: { id: number; now: number }) =>
    db
      .updateTable('message')
      // Someone who sends this message again wants it sent, however late.
      .set({ ...AGAIN, due_on: v.now, expires_on: null })
      .where('id', '=', v.id)
      .where('status', 'in', UNSENT)
      .where('mobile', 'is not', null),
  ),

  countUnsent: (session: Session, choice: RetryChoice) => countOf(session, unsentMessages(session, choice)),

  /** Queues at most 1,000 messages, except those that nobody wants any longer, such as yesterday's one-time passwords; returns how many. */
  sendChosenAgain: (session: Session, choice: RetryChoice) =>
    changeSome(session, choice, unsentMessages(session, choice), { ...AGAIN, due_on: choice.now }),

  /** Rejects a message that is Queued. Returns 0 if no queued message has that id. */
  cancel: changeStatement((db, v: { id: number; now: number }) =>
    db
      .updateTable('message')
      .set({ ...CANCELLED, finished_on: v.now })
      .where('id', '=', v.id)
      .where('status', '=', MessageStatus.Queued),
  ),

  countChosen: (session: Session, choice: MessageChoice) => countOf(session, chosenMessages(session, choice)),

  /** Rejects at most 1,000 messages, as `cancel` does; returns how many. */
  cancelChosen: (session: Session, choice: MessageChoice) =>
    changeSome(session, choice, chosenMessages(session, choice), { ...CANCELLED, finished_on: choice.now }),

  /** Deletes at most `limit` messages that were queued before an instant (ms) and are no longer waiting; returns how many. */
  forget: changeStatement((db, v: { until: number; limit: number }) =>
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
      .where(STATUS_OF_ROW, 'in', NO_LONGER_WAITING),
  ),
};
