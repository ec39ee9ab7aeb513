import { type Session, statement } from '../statement.ts';
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
  /** This try included. */
  readonly attempts: number;
  readonly header: string | null;
  readonly dltTemplateId: string | null;
  readonly principalEntityId: string | null;
}

/** A message that nobody has answered for. */
export interface UnansweredMessage {
  readonly id: number;
  readonly attempts: number;
  readonly code: string | null;
}

/** Instants in ms. */
export interface Claim {
  readonly now: number;
  readonly holder: string;
  /** Until then the messages are this holder's, unless it renews. */
  readonly leasedUntil: number;
  readonly limit: number;
}

/** The lease of the whole outbox. */
const OUTBOX = 'outbox';

const CLAIMED = [
  'id',
  'mobile',
  'text',
  'mode',
  'encoding',
  'due_on as dueOn',
  'expires_on as expiresOn',
  'attempts',
  'header',
  'dlt_template_id as dltTemplateId',
  'principal_entity_id as principalEntityId',
] as const;

const holdLease = statement((db, v: { name: string; holder: string; now: number; leasedUntil: number }) =>
  db
    .insertInto('gateway_lease')
    .values({ name: v.name, holder: v.holder, leased_until: v.leasedUntil })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: v.holder, leased_until: v.leasedUntil })
        .where((row) =>
          row.or([row('gateway_lease.holder', '=', v.holder), row('gateway_lease.leased_until', '<=', v.now)]),
        ),
    )
    .returning('name'),
);

const readLease = statement((db, v: { name: string }) =>
  db.selectFrom('gateway_lease').select(['holder', 'leased_until as leasedUntil']).where('name', '=', v.name),
);

const dropLease = statement((db, v: { name: string; holder: string }) =>
  db
    .updateTable('gateway_lease')
    .set({ holder: null, leased_until: 0 })
    .where('name', '=', v.name)
    .where('holder', '=', v.holder),
);

const renewMessage = statement((db, v: { id: number; holder: string; leasedUntil: number }) =>
  db
    .updateTable('message')
    .set({ leased_until: v.leasedUntil })
    .where('id', '=', v.id)
    .where('status', '=', 2)
    .where('leased_by', '=', v.holder),
);

const dueMessage = statement((db, v: { priority: number; now: number }) =>
  db
    .selectFrom('message')
    .select('id')
    .where('status', '=', 1)
    .where('priority', '=', v.priority)
    .where('due_on', '<=', v.now)
    .limit(1),
);
const staleMessage = statement((db, v: { now: number }) =>
  db.selectFrom('message').select('id').where('status', '=', 2).where('leased_until', '<=', v.now).limit(1),
);
const expiredMessage = statement((db, v: { now: number }) =>
  db.selectFrom('message').select('id').where('status', '=', 1).where('expires_on', '<=', v.now).limit(1),
);

const expireMessages = statement((db, v: { now: number }) =>
  db
    .updateTable('message')
    .set({ status: 6, finished_on: v.now })
    .where('status', '=', 1)
    .where('expires_on', '<=', v.now)
    .returning('id'),
);

const holdMessages = statement((db, v: { mode: number; priority: number; now: number; until: number }) =>
  db
    .updateTable('message')
    .set({ due_on: v.until })
    .where('status', '=', 1)
    .where('priority', '=', v.priority)
    .where('due_on', '<=', v.now)
    .where('mode', '=', v.mode),
);

/**
 * What the subquery finds may be another process's by the time that the row is locked: PostgreSQL then asks the outer conditions again,
 * and skips the row.
 */
const claimDue = statement((db, v: Claim & { readonly priority: number }) =>
  db
    .updateTable('message')
    .set((row) => ({
      status: 2,
      leased_by: v.holder,
      leased_until: v.leasedUntil,
      attempts: row('attempts', '+', 1),
    }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('message as due')
        .select('due.id')
        .where('due.status', '=', 1)
        .where('due.priority', '=', v.priority)
        .where('due.due_on', '<=', v.now)
        .orderBy('due.due_on')
        .orderBy('due.id')
        .limit(v.limit),
    )
    .where('status', '=', 1)
    .where('due_on', '<=', v.now)
    .returning([...CLAIMED]),
);

const takeOver = statement((db, v: Claim) =>
  db
    .updateTable('message')
    .set((row) => ({
      leased_by: v.holder,
      leased_until: v.leasedUntil,
      attempts: row('attempts', '+', 1),
      takeovers: row('takeovers', '+', 1),
    }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('message as left')
        .select('left.id')
        .where('left.status', '=', 2)
        .where('left.leased_until', '<=', v.now)
        .where('left.leased_by', 'is not', null)
        .orderBy('left.priority', 'desc')
        .orderBy('left.due_on')
        .orderBy('left.id')
        .limit(v.limit),
    )
    .where('status', '=', 2)
    .where('leased_until', '<=', v.now)
    .where('leased_by', 'is not', null)
    .returning([...CLAIMED, 'priority']),
);

/** Messages that nobody has answered for in time. They are this holder's then, to be tried again or given up. */
const takeUnanswered = statement((db, v: Omit<Claim, 'limit'>) =>
  db
    .updateTable('message')
    .set({ leased_by: v.holder, leased_until: v.leasedUntil })
    .where('status', '=', 2)
    .where('leased_until', '<=', v.now)
    .where('leased_by', 'is', null)
    .returning(['id', 'attempts', 'last_code as code']),
);

/**
 * The outbox as the process that sends sees it. Whatever is written about a message is written only if the message is still that
 * process's: `leased_by` is the fence behind which a process that was stopped for a while finds itself.
 */
export class OutboxRecords {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** Takes the outbox, or keeps it, until an instant; false if another process has it. */
  async hold(v: { readonly holder: string; readonly now: number; readonly leasedUntil: number }): Promise<boolean> {
    return (await holdLease(this.#session, { name: OUTBOX, ...v })).length === 1;
  }

  /** Whether `hold` would succeed, without writing. */
  async isFree(holder: string, now: number): Promise<boolean> {
    const [lease] = await readLease(this.#session, { name: OUTBOX });
    return lease === undefined || lease.holder === holder || lease.leasedUntil <= now;
  }

  async letGo(holder: string): Promise<void> {
    await dropLease(this.#session, { name: OUTBOX, holder });
  }

  /** A message on its way stays this holder's. One that it does not know of, because it never heard of a commit, does not. */
  async renew(v: Parameters<typeof renewMessage>[1]): Promise<void> {
    await renewMessage(this.#session, v);
  }

  /** Whether `claim` would find anything, without writing. */
  async hasWork(now: number, priorities: readonly number[]): Promise<boolean> {
    for (const priority of priorities) {
      if ((await dueMessage(this.#session, { priority, now })).length > 0) return true;
    }
    if ((await staleMessage(this.#session, { now })).length > 0) return true;
    return (await expiredMessage(this.#session, { now })).length > 0;
  }

  /** Ends the queued messages that nobody wants any more; their ids. */
  async expire(now: number): Promise<readonly number[]> {
    return (await expireMessages(this.#session, { now })).map(({ id }) => id);
  }

  /** Messages of a mode that are due, though not allowed, are due at `until`. */
  async postpone(v: Parameters<typeof holdMessages>[1]): Promise<void> {
    await holdMessages(this.#session, v);
  }

  /** Those that have been due for the longest first. */
  async claim(v: Claim & { readonly priority: number }): Promise<readonly ClaimedMessage[]> {
    const messages = await claimDue(this.#session, v);
    return messages.sort((a, b) => a.dueOn - b.dueOn || a.id - b.id);
  }

  /** What a process that went away had on its way. */
  async takeOver(v: Claim): Promise<readonly ClaimedMessage[]> {
    const messages = await takeOver(this.#session, v);
    return messages.sort((a, b) => b.priority - a.priority || a.dueOn - b.dueOn || a.id - b.id);
  }

  /** Messages whose answer is no longer awaited, each to be marked. */
  takeUnanswered(v: Omit<Claim, 'limit'>): Promise<readonly UnansweredMessage[]> {
    return takeUnanswered(this.#session, v);
  }

  /** False if the message is no longer this holder's, or a receipt has ended it. */
  mark(mark: OutboxMark, holder: string, now: number): Promise<boolean> {
    return markMessage(this.#session, mark, holder, now);
  }
}
