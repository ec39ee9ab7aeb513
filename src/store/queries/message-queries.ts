import { type Kysely, type NotNull, sql } from 'kysely';
import { MessagePriority, MessageStatus } from '../../vocabulary/messages.ts';
import { type New, QUEUED_FIELDS } from '../../vocabulary/stored-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { countStatement, rowStatement, statement } from '../statement.ts';
import { receiveReceipt } from './message-receipt.ts';
import { columnValues } from './record-columns.ts';
import { assignedNumber } from './take-numbers.ts';

/** Instants in ms. */
export interface NewMessage extends New<typeof QUEUED_FIELDS> {
  readonly now: number;
  /** It is not sent before. */
  readonly dueOn: number;
  /** It is not sent after. */
  readonly expiresOn: number | undefined;
}

/** A message with any other status will never arrive, so its text is sent as a new message. */
const STILL_ARRIVES = [MessageStatus.Queued, MessageStatus.Sending, MessageStatus.Submitted, MessageStatus.Delivered];

interface SameMessage extends Pick<NewMessage, 'client' | 'mobile' | 'text' | 'tempid' | 'mode'> {
  /** Instants, ms: when it was queued. The last one excludes messages that were queued before the clock was set back. */
  readonly since: number;
  readonly until: number;
}

const sameMessage = rowStatement((db, v: SameMessage) =>
  db
    .selectFrom('message')
    .select(['id', 'mobile', 'segments', 'encoding', 'status', 'gateway'])
    .$narrowType<{ mobile: NotNull }>()
    .where('mobile', '=', v.mobile)
    .where('queued_on', '>', v.since)
    .where('queued_on', '<', v.until)
    .where('text', '=', v.text)
    .where('template_id', '=', v.tempid)
    .where('mode', '=', v.mode)
    .where('client', '=', v.client)
    .where('status', 'in', STILL_ARRIVES)
    .orderBy('queued_on', 'desc')
    .limit(1),
);

/** `gateway` is the one that accepted it; null until then. */
export type Message = NonNullable<Awaited<ReturnType<typeof sameMessage>>>;

const insertMessage = statement((db, v: NewMessage) =>
  db
    .insertInto('message')
    .values({
      ...columnValues(QUEUED_FIELDS, v),
      queued_on: v.now,
      due_on: v.dueOn,
      expires_on: v.expiresOn,
      attempts: 0,
      takeovers: 0,
      unanswered: 0,
    })
    .returning('id'),
);

/** The status is part of the SQL text, because an index has only the messages that wait. */
const queued = (db: Kysely<Schema>, priority: number) =>
  db.selectFrom('message').where('status', '=', sql.lit(MessageStatus.Queued)).where('priority', '=', priority);

/** The text messages, as used by calls and receipts. Sending is in `outbox-queries.ts`. */
export const messageQueries = {
  /** The client's newest message between two instants with the same number, text, template and mode that has arrived or still can. */
  same: sameMessage,

  /** Messages to a number that were queued since an instant, ms, and not before the clock was set back; at most `limit`. */
  countToNumber: countStatement((db, v: { mobile: string; since: number; now: number; limit: number }) =>
    db
      .selectFrom('message')
      .where('mobile', '=', v.mobile)
      .where('queued_on', '>', v.since)
      .where('queued_on', '<=', v.now),
  ),

  /** The client's messages of a priority that wait to be sent; at most `limit`. */
  countWaiting: countStatement((db, v: { client: string; priority: number; limit: number }) =>
    queued(db, v.priority).where('client', '=', v.client),
  ),

  /** Everybody's one-time passwords that wait to be sent; at most `limit`. */
  countPasswords: countStatement((db, _: { limit: number }) => queued(db, MessagePriority.OneTimePassword)),

  async insert(session: Session, message: NewMessage): Promise<number> {
    const [row] = await insertMessage(session, message);
    return assignedNumber(row?.id, 'SMSID');
  },

  receive: receiveReceipt,
};
