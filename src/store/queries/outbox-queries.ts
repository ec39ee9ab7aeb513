import { sql } from 'kysely';
import { MessageStatus } from '../../vocabulary/messages.ts';
import type { SharedClock } from '../shared-clock.ts';
import { type Session, statement } from '../statement.ts';
import { hasEnded, holdOutbox, type LeaseWish, latestEnd, leaveOutbox, outboxIsFree } from './outbox-lease.ts';
import { markMessage, type OutboxMark } from './outbox-mark.ts';

/** A message that a process has taken to send. */
export interface ClaimedMessage {
  readonly id: number;
  /** E.164. */
  readonly mobile: string;
  readonly text: string;
  readonly mode: number;
  readonly encoding: string;
  readonly dueOn: number;
  readonly expiresOn: number | null;
  /** Including this attempt. */
  readonly attempts: number;
  readonly header: string | null;
  readonly dltTemplateId: string | null;
  readonly principalEntityId: string | null;
}

/** A message whose outcome was never reported. */
export interface UnansweredMessage {
  readonly id: number;
  readonly attempts: number;
  readonly code: string | null;
}

/** The holder has the messages until `leasedUntil`, or longer if it renews the lease. */
export interface Claim extends LeaseWish {
  readonly limit: number;
}

/** Instants in ms. */
export interface Postponement {
  readonly mode: number;
  /** The priority of the messages to postpone; `heldPriority` is the priority that they get. */
  readonly priority: number;
  readonly heldPriority: number;
  readonly now: number;
  readonly until: number;
}

/** The maximum number of rows that one statement postpones or ends, because nobody else can write meanwhile. */
const MOST_AT_ONCE = 1000;

/** Written so that SQLite finds the rows of a list of ids by their ids: by an index on the status, it would read all waiting rows. */
const STATUS_OF_ROW = sql<number>`status + 0`;

const claimed = ({ own }: SharedClock, now: number) =>
  [
    'id',
    'mobile',
    'text',
    'mode',
    'encoding',
    own('due_on', now).as('dueOn'),
    own('expires_on', now).$castTo<number | null>().as('expiresOn'),
    'attempts',
    'header',
    'dlt_template_id as dltTemplateId',
    'principal_entity_id as principalEntityId',
  ] as const;

const renewMessage = statement((db, v: { id: number; holder: string; now: number; leasedUntil: number }, { stored }) =>
  db
    .updateTable('message')
    .set({ leased_until: stored(v.leasedUntil, v.now) })
    .where('id', '=', v.id)
    .where('status', '=', MessageStatus.Sending)
    .where('leased_by', '=', v.holder),
);

const dueMessage = statement((db, v: { priority: number; now: number }, { stored }) =>
  db
    .selectFrom('message')
    .select('id')
    .where('status', '=', MessageStatus.Queued)
    .where('priority', '=', v.priority)
    .where('due_on', '<=', stored(v.now, v.now))
    .limit(1),
);
const staleMessage = statement((db, v: { now: number; latest: number }, clock) =>
  db
    .selectFrom('message')
    .select('id')
    .where('status', '=', MessageStatus.Sending)
    .where(hasEnded('leased_until', v, clock))
    .limit(1),
);
const expiredMessage = statement((db, v: { now: number }, { stored }) =>
  db
    .selectFrom('message')
    .select('id')
    .where('status', '=', MessageStatus.Queued)
    .where('expires_on', '<=', stored(v.now, v.now))
    .limit(1),
);

const expireMessages = statement((db, v: { now: number; limit: number }, { stored }) =>
  db
    .updateTable('message')
    .set({ status: MessageStatus.Expired, finished_on: stored(v.now, v.now) })
    .where('id', 'in', (query) =>
      query
        .selectFrom('message as late')
        .select('late.id')
        .where('late.status', '=', MessageStatus.Queued)
        .where('late.expires_on', '<=', stored(v.now, v.now))
        .limit(v.limit),
    )
    .where(STATUS_OF_ROW, '=', MessageStatus.Queued)
    .returning('id'),
);

const holdMessages = statement((db, v: Postponement & { readonly limit: number }, { stored }) =>
  db
    .updateTable('message')
    .set({ due_on: stored(v.until, v.now), priority: v.heldPriority })
    .where('id', 'in', (query) =>
      query
        .selectFrom('message as due')
        .select('due.id')
        .where('due.status', '=', MessageStatus.Queued)
        .where('due.priority', '=', v.priority)
        .where('due.due_on', '<=', stored(v.now, v.now))
        .where('due.mode', '=', v.mode)
        .limit(v.limit),
    )
    .where(STATUS_OF_ROW, '=', MessageStatus.Queued),
);

const hastenMessages = statement(
  (db, v: { priority: number; now: number; latest: number; limit: number }, { stored }) =>
    db
      .updateTable('message')
      .set({ due_on: stored(v.now, v.now) })
      .where('id', 'in', (query) =>
        query
          .selectFrom('message as ahead')
          .select('ahead.id')
          .where('ahead.status', '=', MessageStatus.Queued)
          .where('ahead.priority', '=', v.priority)
          .where('ahead.due_on', '>', stored(v.latest, v.now))
          .limit(v.limit),
      )
      .where(STATUS_OF_ROW, '=', MessageStatus.Queued)
      .returning('id'),
);

/**
 * By the time a row that the subquery found is locked, it may belong to another process. PostgreSQL then re-evaluates the outer conditions
 * and skips the row.
 */
const claimDue = statement((db, v: Claim & { readonly priority: number }, clock) =>
  db
    .updateTable('message')
    .set((row) => ({
      status: MessageStatus.Sending,
      leased_by: v.holder,
      leased_until: clock.stored(v.leasedUntil, v.now),
      attempts: row('attempts', '+', 1),
    }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('message as due')
        .select('due.id')
        .where('due.status', '=', MessageStatus.Queued)
        .where('due.priority', '=', v.priority)
        .where('due.due_on', '<=', clock.stored(v.now, v.now))
        .orderBy('due.due_on')
        .orderBy('due.id')
        .limit(v.limit),
    )
    .where(STATUS_OF_ROW, '=', MessageStatus.Queued)
    .where('due_on', '<=', clock.stored(v.now, v.now))
    .returning(claimed(clock, v.now)),
);

const takeOver = statement((db, v: Claim & { readonly latest: number }, clock) =>
  db
    .updateTable('message')
    .set((row) => ({
      leased_by: v.holder,
      leased_until: clock.stored(v.leasedUntil, v.now),
      attempts: row('attempts', '+', 1),
      takeovers: row('takeovers', '+', 1),
    }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('message as left')
        .select('left.id')
        .where('left.status', '=', MessageStatus.Sending)
        .where(hasEnded('left.leased_until', v, clock))
        .where('left.leased_by', 'is not', null)
        .orderBy('left.priority', 'desc')
        .orderBy('left.due_on')
        .orderBy('left.id')
        .limit(v.limit),
    )
    .where('status', '=', MessageStatus.Sending)
    .where(hasEnded('leased_until', v, clock))
    .where('leased_by', 'is not', null)
    .returning([...claimed(clock, v.now), 'priority']),
);

/** Messages whose outcome was not reported in time. This holder takes them, either to try them again or to give up on them. */
const takeUnanswered = statement((db, v: LeaseWish & { readonly latest: number }, clock) =>
  db
    .updateTable('message')
    .set({ leased_by: v.holder, leased_until: clock.stored(v.leasedUntil, v.now) })
    .where('status', '=', MessageStatus.Sending)
    .where(hasEnded('leased_until', v, clock))
    .where('leased_by', 'is', null)
    .returning(['id', 'attempts', 'last_code as code']),
);

/**
 * The outbox as seen by the process that sends. A message is only updated if that process still holds it: `leased_by` is the fencing token
 * that stops a process that was suspended for a while.
 */
export class OutboxQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** Takes or keeps the outbox until an instant. Returns false if another process holds it. */
  hold(wish: LeaseWish): Promise<boolean> {
    return holdOutbox(this.#session, wish);
  }

  /** Whether `hold` would succeed, without writing. */
  isFree(wish: LeaseWish): Promise<boolean> {
    return outboxIsFree(this.#session, wish);
  }

  letGo(holder: string): Promise<void> {
    return leaveOutbox(this.#session, holder);
  }

  /**
   * Extends this holder's lease on a message that it is sending. A message that the holder does not know about, because it never learned of
   * a commit, is never renewed.
   */
  async renew(v: Parameters<typeof renewMessage>[1]): Promise<void> {
    await renewMessage(this.#session, v);
  }

  /** Whether `claim` would find anything, without writing. */
  async hasWork({ now, leasedUntil }: Omit<LeaseWish, 'holder'>, priorities: readonly number[]): Promise<boolean> {
    for (const priority of priorities) {
      if ((await dueMessage(this.#session, { priority, now })).length > 0) return true;
    }
    if ((await staleMessage(this.#session, { now, latest: latestEnd({ now, leasedUntil }) })).length > 0) return true;
    return (await expiredMessage(this.#session, { now })).length > 0;
  }

  /** Ends at most 1,000 queued messages that nobody wants any longer; returns their ids. */
  async expire(now: number): Promise<readonly number[]> {
    return (await expireMessages(this.#session, { now, limit: MOST_AT_ONCE })).map(({ id }) => id);
  }

  /** Postpones at most 1,000 messages of a mode that are due but not allowed now, so that they are due at `until`. */
  async postpone(v: Postponement): Promise<void> {
    await holdMessages(this.#session, { ...v, limit: MOST_AT_ONCE });
  }

  /** Makes at most 1,000 messages of a priority due now that would be due after `latest`. Returns how many. */
  async hasten(v: { readonly priority: number; readonly now: number; readonly latest: number }): Promise<number> {
    return (await hastenMessages(this.#session, { ...v, limit: MOST_AT_ONCE })).length;
  }

  /** The messages that have been due longest come first. */
  async claim(v: Claim & { readonly priority: number }): Promise<readonly ClaimedMessage[]> {
    const messages = await claimDue(this.#session, v);
    return messages.sort((a, b) => a.dueOn - b.dueOn || a.id - b.id);
  }

  /** Messages that a process was sending when it disappeared. */
  async takeOver(v: Claim): Promise<readonly ClaimedMessage[]> {
    const messages = await takeOver(this.#session, { ...v, latest: latestEnd(v) });
    return messages.sort((a, b) => b.priority - a.priority || a.dueOn - b.dueOn || a.id - b.id);
  }

  /** Messages for which an answer is no longer expected, each of which must be marked. */
  takeUnanswered(v: LeaseWish): Promise<readonly UnansweredMessage[]> {
    return takeUnanswered(this.#session, { ...v, latest: latestEnd(v) });
  }

  /** Returns false if this holder no longer has the message, or if a receipt has ended it. */
  mark(mark: OutboxMark, holder: string, now: number): Promise<boolean> {
    return markMessage(this.#session, mark, holder, now);
  }
}
