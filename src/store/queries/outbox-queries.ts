import { type Kysely, sql } from 'kysely';
import { MESSAGE_PRIORITIES, MessagePriority, MessageStatus } from '../../vocabulary/messages.ts';
import { MESSAGE_FIELDS } from '../../vocabulary/stored-records.ts';
import { LAST_UNSENT_STATUS } from '../migrations/0001-tables.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { changeStatement, rowStatement, statement } from '../statement.ts';
import { recordFate } from './outbox-fate.ts';
import { selected } from './record-columns.ts';

/** What a process wants to have until `leasedUntil`. Instants in ms. */
export interface LeaseWish {
  readonly holder: string;
  readonly now: number;
  readonly leasedUntil: number;
}

/** `stale`: the end of a lease that ended although the clock, which was set back, does not say so. */
type OutboxWish = LeaseWish & { readonly stale?: number | undefined };

export interface Claim extends LeaseWish {
  readonly limit: number;
  /** Counts the claims. */
  readonly turn?: number;
}

/** The maximum number of rows that one statement holds back, ends or cancels, because nobody else can write meanwhile. */
export const MOST_AT_ONCE = 1000;

/** Written so that SQLite finds the rows of a list of ids by their ids: by an index on the status, it would read all waiting rows. */
export const STATUS_OF_ROW = sql<number>`status + 0`;

/** The lease on the whole outbox. */
const OUTBOX = 'outbox';

const holdOutbox = changeStatement((db, v: OutboxWish) =>
  db
    .insertInto('outbox_lease')
    .values({ name: OUTBOX, holder: v.holder, lease_ends_on: v.leasedUntil })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: v.holder, lease_ends_on: v.leasedUntil })
        .where((row) =>
          row.or([
            row('outbox_lease.holder', '=', v.holder),
            row('outbox_lease.lease_ends_on', '<=', v.now),
            row('outbox_lease.lease_ends_on', '=', sql<number>`${v.stale}`),
          ]),
        ),
    ),
);

const heldOutbox = rowStatement((db, v: { holder: string; now: number }) =>
  db
    .selectFrom('outbox_lease')
    .select('lease_ends_on')
    .where('name', '=', OUTBOX)
    .where('holder', '<>', v.holder)
    .where('lease_ends_on', '>', v.now),
);

/** The status is part of the SQL text, because an index has only the messages that wait. */
const messagesOf = (db: Kysely<Schema>, status: number) =>
  db.selectFrom('message').select('id').where('status', '=', sql.lit(status));

/**
 * A client's messages to a number are sent in the order in which they were queued: each waits until the one before is accepted or given up.
 * One with a higher priority does not wait, nor does another client's: a text that its provider never answers would hold up all others.
 */
const IS_NEXT_OF_NUMBER = sql<boolean>`NOT EXISTS (SELECT 1 FROM message AS earlier WHERE earlier.mobile = message.mobile
  AND earlier.priority >= message.priority AND earlier.id < message.id AND earlier.status <= ${sql.lit(LAST_UNSENT_STATUS)}
  AND earlier.client = message.client)`;

const dueMessages = (db: Kysely<Schema>, v: { now: number }, priorities: readonly number[]) =>
  messagesOf(db, MessageStatus.Queued)
    .where('priority', 'in', priorities)
    .where('due_on', '<=', v.now)
    .where(IS_NEXT_OF_NUMBER);

const lateMessages = (db: Kysely<Schema>, v: { now: number }) =>
  messagesOf(db, MessageStatus.Queued).where('expires_on', '<=', v.now);

/** Those that were not answered, and about which no receipt arrived in time. */
const unansweredMessages = (db: Kysely<Schema>, v: { now: number }) =>
  messagesOf(db, MessageStatus.Sending).where('leased_by', 'is', null).where('lease_ends_on', '<=', v.now);

const anyWork = rowStatement((db, v: { now: number }) =>
  dueMessages(db, v, MESSAGE_PRIORITIES).unionAll(unansweredMessages(db, v)).unionAll(lateMessages(db, v)).limit(1),
);

const expireMessages = statement((db, v: { now: number }) =>
  db
    .updateTable('message')
    .set({ status: MessageStatus.Expired, finished_on: v.now })
    .where('id', 'in', lateMessages(db, v).limit(MOST_AT_ONCE))
    .where(STATUS_OF_ROW, '=', MessageStatus.Queued)
    .returning('id'),
);

const CLAIMED = [
  ...selected(MESSAGE_FIELDS, [
    ...(['id', 'mode', 'encoding', 'segments', 'priority', 'attempts', 'unanswered'] as const),
    ...(['header', 'dltTemplateId', 'principalEntityId', 'queuedOn', 'dueOn', 'expiresOn'] as const),
  ]),
  // Not null, because erasing a message cancels it.
  sql.ref<string>('mobile').as('mobile'),
  sql.ref<string>('text').as('text'),
] as const;

/**
 * By the time a row that a claim's subquery found is locked, it may belong to another process. PostgreSQL then re-evaluates the outer
 * conditions and skips the row.
 */
const claimOf = (db: Kysely<Schema>, v: Claim) =>
  db
    .updateTable('message')
    .set((row) => ({
      status: MessageStatus.Sending,
      leased_by: v.holder,
      lease_ends_on: v.leasedUntil,
      attempts: row('attempts', '+', 1),
    }))
    .returning(CLAIMED);

const claimDue = (priority: number) =>
  statement((db, v: Claim) =>
    claimOf(db, v)
      .where('id', 'in', dueMessages(db, v, [priority]).orderBy('due_on').orderBy('id').limit(v.limit))
      .where(STATUS_OF_ROW, '=', MessageStatus.Queued)
      .where('due_on', '<=', v.now),
  );
/** By priority, because only then does an index give them in the order in which they became due. */
const CLAIM_DUE = MESSAGE_PRIORITIES.map(claimDue);
/** Of four claims, one takes the highest priority last, and of sixteen, one the lowest first, so that no stream of messages stops the others. */
const inTurn = (turn: number) =>
  turn % 4 < 3
    ? CLAIM_DUE
    : turn % 16 < 15
      ? [...CLAIM_DUE.slice(1), ...CLAIM_DUE.slice(0, 1)]
      : CLAIM_DUE.toReversed();

/** A message that a process has taken to send. Its attempts include this one. Instants in ms. */
export type ClaimedMessage = Awaited<ReturnType<ReturnType<typeof claimDue>>>[number];

const claimUnanswered = statement((db, v: Claim) =>
  claimOf(db, v)
    .where('id', 'in', unansweredMessages(db, v).orderBy('priority', 'desc').orderBy('due_on').limit(v.limit))
    .where('status', '=', MessageStatus.Sending)
    .where('lease_ends_on', '<=', v.now)
    .where('leased_by', 'is', null),
);

type Claimed = readonly ClaimedMessage[];

const inOrder = (messages: Claimed): Claimed =>
  messages.toSorted((a, b) => b.priority - a.priority || a.dueOn - b.dueOn || a.id - b.id);

/**
 * The outbox as seen by the process that sends. The outcome of a message is only recorded while `leased_by` names that process: whoever
 * takes over the outbox removes the name, so that a process that was suspended for a while changes nothing. Version 1.0 needs
 * `lease_ends_on` of each message being sent.
 */
export const outboxQueries = {
  /** Takes or keeps the outbox. Returns false if another process holds it. */
  hold: async (session: Session, wish: OutboxWish) => (await holdOutbox(session, wish)) === 1,

  /** The end of another process's lease; undefined if `hold` would succeed. */
  heldUntil: async (session: Session, wish: Pick<LeaseWish, 'holder' | 'now'>) =>
    (await heldOutbox(session, wish))?.lease_ends_on,

  release: statement((db, v: { holder: string }) =>
    db
      .updateTable('outbox_lease')
      .set({ holder: null, lease_ends_on: 0 })
      .where('name', '=', OUTBOX)
      .where('holder', '=', v.holder),
  ),

  /** The messages that some process is sending, or was when it disappeared. */
  sending: statement((db, _: object) =>
    db
      .selectFrom('message')
      .select(['id', 'attempts', 'leased_by as sender'])
      .where('status', '=', sql.lit(MessageStatus.Sending))
      .where('leased_by', 'is not', null),
  ),

  /** Counts a message that a process was sending when it disappeared as unanswered. */
  takeOver: changeStatement((db, v: { id: number; sender: string | null; now: number }) =>
    db
      .updateTable('message')
      .set((row) => ({
        leased_by: null,
        lease_ends_on: v.now,
        unanswered: row('unanswered', '+', 1),
        takeovers: row('takeovers', '+', 1),
      }))
      .where('id', '=', v.id)
      .where('status', '=', MessageStatus.Sending)
      .where('leased_by', '=', v.sender),
  ),

  /** Whether there is anything to claim or to expire, without writing. */
  hasWork: async (session: Session, now: number) => (await anyWork(session, { now })) !== undefined,

  /** Ends at most 1,000 queued messages that nobody wants any longer; returns their ids. */
  expire: async (session: Session, now: number) => (await expireMessages(session, { now })).map(({ id }) => id),

  /** Holds back at most 1,000 promotional messages that are due but not allowed now, until an instant. Version 1.0.0 queues some as Normal. */
  holdBack: statement((db, v: { mode: number; now: number; until: number }) =>
    db
      .updateTable('message')
      .set({ due_on: v.until, priority: MessagePriority.Promotional })
      .where('id', 'in', dueMessages(db, v, MESSAGE_PRIORITIES).where('mode', '=', v.mode).limit(MOST_AT_ONCE))
      .where(STATUS_OF_ROW, '=', MessageStatus.Queued),
  ),

  /** After the clock was set back: makes at most 1,000 messages of a priority due that would be so only after the instant `latest`. */
  recallQueued: statement((db, v: { priority: number; now: number; latest: number }) =>
    db
      .updateTable('message')
      .set({ due_on: v.now })
      .where(
        'id',
        'in',
        messagesOf(db, MessageStatus.Queued)
          .where('priority', '=', v.priority)
          .where('due_on', '>', v.latest)
          .limit(MOST_AT_ONCE),
      )
      .where(STATUS_OF_ROW, '=', MessageStatus.Queued),
  ),

  /** After the clock was set back: lets messages wait for a receipt no longer than a lease taken now. */
  recallSending: statement((db, v: Omit<LeaseWish, 'holder'> & { latest: number }) =>
    db
      .updateTable('message')
      .set({ lease_ends_on: v.leasedUntil })
      .where('status', '=', MessageStatus.Sending)
      .where('lease_ends_on', '>', v.latest),
  ),

  /** Claims messages by priority, or in its turn in another order; of one priority, those that have been due longest. */
  async claim(session: Session, { turn = 0, ...claim }: Claim): Promise<Claimed> {
    const messages: ClaimedMessage[] = [];
    for (const claimDue of inTurn(turn)) {
      const limit = claim.limit - messages.length;
      if (limit > 0) messages.push(...inOrder(await claimDue(session, { ...claim, limit })));
    }
    return messages;
  },

  /** Claims messages whose fate was unknown, and about which no receipt has arrived. */
  claimUnanswered: async (session: Session, claim: Claim) => inOrder(await claimUnanswered(session, claim)),

  record: recordFate,
};
