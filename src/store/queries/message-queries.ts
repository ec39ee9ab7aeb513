import { sql } from 'kysely';
import { MessageStatus } from '../../vocabulary/messages.ts';
import { ERASED } from '../../vocabulary/patients.ts';
import { type Session, statement } from '../statement.ts';

export interface NewMessage {
  /** E.164. */
  readonly mobile: string;
  readonly text: string;
  readonly tempid: number;
  readonly mode: number;
  readonly encoding: string;
  readonly segments: number;
  readonly status: number;
  /** Messages with the highest priority are sent first. */
  readonly priority: number;
  /** Instant, ms, before which it is not sent. */
  readonly dueOn: number;
  /** Instant, ms, after which it is not sent. */
  readonly expiresOn: number | undefined;
  /** From the template. */
  readonly header: string | null;
  readonly dltTemplateId: string | null;
  readonly principalEntityId: string | null;
  readonly correlationId: string;
  readonly now: number;
}

export interface Message {
  readonly id: number;
  readonly mobile: string;
  readonly segments: number;
  readonly encoding: string;
  readonly status: number;
  /** The gateway that accepted it; null until then. */
  readonly gateway: string | null;
}

/** A template that messages are sent with. */
export interface ActiveTemplate {
  readonly text: string;
  readonly header: string | null;
  readonly dltTemplateId: string | null;
  readonly principalEntityId: string | null;
}

interface ReceiptHints {
  /** Digits of the phone number, maybe without its country code. */
  readonly mobile: string;
  /** What else the gateway's id may have been when it accepted the message; at most two. */
  readonly references: readonly string[];
  /** The last 16 bits of its SMSID; counts only for a message for which no gateway id was recorded. */
  readonly idEnd: number | undefined;
}

/** Whether two phone numbers may be the same: country codes may be added or dropped in transit, but the last 8 digits stay. */
export function isSameNumber(a: string, b: string): boolean {
  const end = (number: string): string => number.replace(/\D/g, '').slice(-8);
  return end(a) === end(b);
}

/** A report of a message's outcome. Whichever of the two ids is present identifies the message. */
export interface Receipt {
  /** SMSID. */
  readonly messageId: number | undefined;
  /** The gateway's own id for it. */
  readonly reference: string | undefined;
  /** Each identifies a message only together with its phone number. */
  readonly hints?: ReceiptHints | undefined;
  readonly status: 'submitted' | 'delivered' | 'failed' | 'expired';
  readonly code: string | undefined;
  /** Instant, ms. */
  readonly now: number;
}

const RECEIPT_STATUS = {
  submitted: MessageStatus.Submitted,
  delivered: MessageStatus.Delivered,
  failed: MessageStatus.Failed,
  expired: MessageStatus.Expired,
} as const;

/** A message with any other status will never arrive, so its text is sent as a new message. */
const STILL_ARRIVES = [MessageStatus.Queued, MessageStatus.Sending, MessageStatus.Submitted, MessageStatus.Delivered];

interface SameMessage {
  readonly mobile: string;
  readonly text: string;
  readonly tempid: number;
  readonly mode: number;
  /** Instants, ms: when it was queued. The last one excludes messages that were queued before the clock was set back. */
  readonly since: number;
  readonly until: number;
  readonly now: number;
}

const sameMessage = statement((db, v: SameMessage, { stored }) =>
  db
    .selectFrom('message')
    .select(['id', 'mobile', 'segments', 'encoding', 'status', 'gateway'])
    .where('mobile', '=', v.mobile)
    .where('queued_on', '>', stored(v.since, v.now))
    .where('queued_on', '<', stored(v.until, v.now))
    .where('text', '=', v.text)
    .where('tempid', '=', v.tempid)
    .where('mode', '=', v.mode)
    .where('status', 'in', STILL_ARRIVES)
    .orderBy('queued_on', 'desc')
    .limit(1),
);

const insertMessage = statement((db, v: NewMessage, { stored }) =>
  db
    .insertInto('message')
    .values({
      mobile: v.mobile,
      text: v.text,
      tempid: v.tempid,
      mode: v.mode,
      encoding: v.encoding,
      segments: v.segments,
      status: v.status,
      queued_on: stored(v.now, v.now),
      priority: v.priority,
      due_on: stored(v.dueOn, v.now),
      expires_on: stored(v.expiresOn, v.now),
      header: v.header,
      dlt_template_id: v.dltTemplateId,
      principal_entity_id: v.principalEntityId,
      correlation_id: v.correlationId,
    })
    .returning('id'),
);

const activeTemplate = statement((db, v: { tempid: number }) =>
  db
    .selectFrom('message_template')
    .select(['text', 'header', 'dlt_template_id as dltTemplateId', 'principal_entity_id as principalEntityId'])
    .where('tempid', '=', v.tempid)
    .where('active', '=', 1),
);

/** More messages than a gateway gives the same id. */
const MOST_OF_A_REFERENCE = 20;

const messageById = statement((db, v: { id: number }) => db.selectFrom('message').select('id').where('id', '=', v.id));
const messagesByReference = statement((db, v: { first: string; second: string | null; third: string | null }) =>
  db
    .selectFrom('message')
    .select(['id', 'mobile', 'gateway_reference as reference'])
    .where('gateway_reference', 'in', [v.first, v.second, v.third])
    // A gateway may reuse its ids after some time.
    .orderBy('id', 'desc')
    .limit(MOST_OF_A_REFERENCE),
);

/** Messages of several segments are excluded: all their segments share the same end, and a receipt for one says nothing about the others. */
const messageByIdEnd = statement((db, v: { mobile: string; idEnd: number }) =>
  db
    .selectFrom('message')
    .select('id')
    .where('mobile', '=', v.mobile)
    .where(sql<number>`id % 65536`, '=', v.idEnd)
    .where('segments', '=', 1)
    .where('attempts', '>', 0)
    .where('gateway_reference', 'is', null)
    .orderBy('queued_on', 'desc')
    .limit(1),
);

/**
 * A receipt means that the gateway accepted the message, even if we received no confirmation, so it must not be sent again. For a message
 * that was never sent, a receipt means nothing: it is about a message with the same SMSID in another database, which has since been
 * restored or removed.
 */
const receiveSubmitted = statement(
  (db, v: { id: number; status: number; reference: string | undefined; code: string | undefined; now: number }) =>
    db
      .updateTable('message')
      .set((row) => ({
        status: v.status,
        last_code: v.code,
        submitted_on: row.fn.coalesce('submitted_on', row.val(v.now)),
        finished_on: null,
        // The next receipt may identify the message by this id.
        gateway_reference: row.fn.coalesce('gateway_reference', row.val(v.reference)),
      }))
      .where('id', '=', v.id)
      // The gateway's id would lead to the phone of a patient whose data was erased.
      .where('mobile', '<>', ERASED.phone)
      .where('attempts', '>', 0)
      .where((row) =>
        row.or([
          row('status', 'in', [MessageStatus.Queued, MessageStatus.Sending]),
          row.and([row('status', '=', MessageStatus.Dead), row('submitted_on', 'is', null)]),
        ]),
      )
      .returning('id'),
);
/**
 * A delivered message stays delivered, even if we gave up on it, or if somebody cancelled it, while it was unknown whether it had been
 * sent.
 */
const receiveDelivered = statement((db, v: { id: number; code: string | undefined; now: number }) =>
  db
    .updateTable('message')
    .set({ status: RECEIPT_STATUS.delivered, last_code: v.code, finished_on: v.now })
    .where('id', '=', v.id)
    .where('attempts', '>', 0)
    .where((row) =>
      row.or([
        row('status', 'in', [MessageStatus.Queued, MessageStatus.Sending, MessageStatus.Submitted]),
        row.and([
          row('status', 'in', [MessageStatus.Expired, MessageStatus.Rejected, MessageStatus.Dead]),
          row('submitted_on', 'is', null),
        ]),
      ]),
    )
    .returning('id'),
);
/** A message that was queued again does not end with the outcome of its previous attempt. */
const receiveUndelivered = statement((db, v: { id: number; status: number; code: string | undefined; now: number }) =>
  db
    .updateTable('message')
    .set({ status: v.status, last_code: v.code, finished_on: v.now })
    .where('id', '=', v.id)
    .where('status', 'in', [MessageStatus.Sending, MessageStatus.Submitted])
    .returning('id'),
);

/** The text messages, as used by calls and receipts. Sending is in `outbox-queries.ts`. */
export class MessageQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** The template with this number, if messages may be sent with it. */
  async template(tempid: number): Promise<ActiveTemplate | undefined> {
    return (await activeTemplate(this.#session, { tempid }))[0];
  }

  /** The newest message between two instants with the same number, text, template and mode that has arrived or still can. */
  async same(values: SameMessage): Promise<Message | undefined> {
    return (await sameMessage(this.#session, values))[0];
  }

  async insert(message: NewMessage): Promise<number> {
    const [row] = await insertMessage(this.#session, message);
    if (row === undefined) throw new Error('the message got no id');
    return row.id;
  }

  /**
   * Records the outcome of a message. A message that has ended stays as it is, so the same receipt may arrive again. However, a message
   * that we gave up on may still turn out to have been accepted or delivered. Resolves with the message's id, or undefined if no message
   * has either id.
   */
  async receive(receipt: Receipt): Promise<number | undefined> {
    const id = await this.#idOf(receipt);
    if (id === undefined) return undefined;
    const { reference, code, now } = receipt;
    const status = RECEIPT_STATUS[receipt.status];
    if (receipt.status === 'submitted') await receiveSubmitted(this.#session, { id, status, reference, code, now });
    else if (receipt.status === 'delivered') await receiveDelivered(this.#session, { id, code, now });
    else await receiveUndelivered(this.#session, { id, status, code, now });
    return id;
  }

  async #idOf({ messageId, reference, hints }: Receipt): Promise<number | undefined> {
    if (messageId !== undefined) {
      const [message] = await messageById(this.#session, { id: messageId });
      if (message !== undefined) return message.id;
    }
    if (reference !== undefined) {
      const [second = null, third = null] = hints?.references ?? [];
      const found = await messagesByReference(this.#session, { first: reference, second, third });
      const message =
        found.find(({ mobile }) => hints !== undefined && isSameNumber(mobile, hints.mobile)) ??
        found.find((message) => message.reference === reference);
      if (message !== undefined) return message.id;
    }
    if (hints?.idEnd === undefined) return undefined;
    const { mobile, idEnd } = hints;
    return (await messageByIdEnd(this.#session, { idEnd, mobile: `+${mobile}` }))[0]?.id;
  }
}
