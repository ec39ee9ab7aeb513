import { type NotNull, sql } from 'kysely';
import { type DeliveryReceipt, idEnd, isSameNumber, MessageStatus } from '../../vocabulary/messages.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';

/** With the ids of its template, if it has one. */
export interface NewMessage extends Omit<ActiveTemplate, 'text'> {
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
  /** Who queues it, as named in the clients file. */
  readonly client: string;
  readonly correlationId: string;
  readonly now: number;
}

/** A message with any other status will never arrive, so its text is sent as a new message. */
const STILL_ARRIVES = [MessageStatus.Queued, MessageStatus.Sending, MessageStatus.Submitted, MessageStatus.Delivered];

interface SameMessage extends Pick<NewMessage, 'mobile' | 'text' | 'tempid' | 'mode' | 'now'> {
  /** Instants, ms: when it was queued. The last one excludes messages that were queued before the clock was set back. */
  readonly since: number;
  readonly until: number;
}

const sameMessage = statement((db, v: SameMessage, { stored }) =>
  db
    .selectFrom('message')
    .select(['id', 'mobile', 'segments', 'encoding', 'status', 'gateway'])
    .$narrowType<{ mobile: NotNull }>()
    .where('mobile', '=', v.mobile)
    .where('queued_on', '>', stored(v.since, v.now))
    .where('queued_on', '<', stored(v.until, v.now))
    .where('text', '=', v.text)
    .where('template_id', '=', v.tempid)
    .where('mode', '=', v.mode)
    .where('status', 'in', STILL_ARRIVES)
    .orderBy('queued_on', 'desc')
    .limit(1),
);

/** `gateway` is the one that accepted it; null until then. */
export type Message = Awaited<ReturnType<typeof sameMessage>>[number];

const insertMessage = statement((db, v: NewMessage, { stored }) =>
  db
    .insertInto('message')
    .values({
      mobile: v.mobile,
      text: v.text,
      template_id: v.tempid,
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
      client: v.client,
      correlation_id: v.correlationId,
    })
    .returning('id'),
);

const activeTemplate = statement((db, v: { tempid: number }) =>
  db
    .selectFrom('message_template')
    .select(['text', 'header', 'dlt_template_id as dltTemplateId', 'principal_entity_id as principalEntityId'])
    .where('template_id', '=', v.tempid)
    .where('active', '=', 1),
);

/** A template that messages are sent with. */
export type ActiveTemplate = Awaited<ReturnType<typeof activeTemplate>>[number];

/** More messages than a gateway gives the same id. */
const MOST_OF_A_REFERENCE = 20;

const FOUND = [
  'id',
  'mobile',
  'status',
  'attempts',
  'submitted_on as submittedOn',
  'gateway_reference as reference',
] as const;

const messageById = statement((db, v: { id: number }) => db.selectFrom('message').select(FOUND).where('id', '=', v.id));

const messagesByReference = statement((db, v: { first: string; second: string | null; third: string | null }) =>
  db
    .selectFrom('message')
    .select(FOUND)
    .where('gateway_reference', 'in', [v.first, v.second, v.third])
    // A gateway may reuse its ids after some time.
    .orderBy('id', 'desc')
    .limit(MOST_OF_A_REFERENCE),
);

/** Messages of several segments are excluded: all their segments share the same end, and a receipt for one says nothing about the others. */
const messageByIdEnd = statement((db, v: { mobile: string; idEnd: number }) =>
  db
    .selectFrom('message')
    .select(FOUND)
    .where('mobile', '=', v.mobile)
    .where(sql<number>`id % 65536`, '=', v.idEnd)
    .where('segments', '=', 1)
    .where('attempts', '>', 0)
    .where('gateway_reference', 'is', null)
    .orderBy('queued_on', 'desc')
    .limit(1),
);

type FoundMessage = Awaited<ReturnType<typeof messageById>>[number];

const { Queued, Sending, Submitted, Delivered, Failed, Expired, Rejected, Dead } = MessageStatus;

/**
 * The status of a message after a receipt; undefined if the receipt changes nothing. A message moves forward, never back, and leaves a final
 * status only if we gave up on it, or somebody cancelled it, while it was unknown whether the gateway had accepted it.
 */
function statusAfter(
  receipt: DeliveryReceipt['status'],
  { status, attempts, submittedOn, mobile }: FoundMessage,
): number | undefined {
  // It is about a message with the same SMSID in another database, which has since been restored or removed.
  if (attempts === 0) return undefined;
  const from = (...statuses: readonly number[]): boolean => statuses.includes(status);
  const isGivenUp = submittedOn === null && from(Expired, Rejected, Dead);
  switch (receipt) {
    case 'submitted':
      // The gateway's id would lead to the phone of a patient whose data was erased.
      if (mobile === null) return undefined;
      return from(Queued, Sending) || (isGivenUp && status === Dead) ? Submitted : undefined;
    case 'delivered':
      return from(Queued, Sending, Submitted) || isGivenUp ? Delivered : undefined;
    // A message that was queued again does not end with the outcome of its previous attempt.
    default:
      if (!from(Sending, Submitted)) return undefined;
      return receipt === 'failed' ? Failed : Expired;
  }
}

interface ReceivedStatus extends Pick<DeliveryReceipt, 'reference' | 'code'> {
  readonly id: number;
  readonly from: number;
  readonly status: number;
  readonly now: number;
  /** Undefined leaves it as it is. */
  readonly submittedOn: number | undefined;
  readonly finishedOn: number | undefined;
}

const receiveStatus = statement((db, v: ReceivedStatus, { stored }) =>
  db
    .updateTable('message')
    .set((row) => ({
      status: v.status,
      last_code: v.code,
      submitted_on: row.fn.coalesce('submitted_on', stored(v.submittedOn, v.now)),
      finished_on: stored(v.finishedOn, v.now),
      // The next receipt may identify the message by this id.
      gateway_reference: row.fn.coalesce('gateway_reference', row.val(v.reference)),
    }))
    .where('id', '=', v.id)
    .where('status', '=', v.from)
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
  async receive(receipt: DeliveryReceipt, now: number): Promise<number | undefined> {
    const message = await this.#find(receipt);
    if (message === undefined) return undefined;
    const { id, status: from } = message;
    const status = statusAfter(receipt.status, message);
    if (status === undefined) return id;
    const { reference, code } = receipt;
    const news =
      receipt.status === 'submitted'
        ? { submittedOn: now, finishedOn: undefined, reference }
        : { submittedOn: undefined, finishedOn: now, reference: undefined };
    await receiveStatus(this.#session, { id, from, status, code, now, ...news });
    return id;
  }

  async #find({ messageId, reference, hints }: DeliveryReceipt): Promise<FoundMessage | undefined> {
    const [byId] = messageId === undefined ? [] : await messageById(this.#session, { id: messageId });
    if (byId !== undefined) return byId;
    if (reference !== undefined) {
      const [second = null, third = null] = hints?.references ?? [];
      const found = await messagesByReference(this.#session, { first: reference, second, third });
      if (hints === undefined) return found[0];
      // The same id in another notation may be another message's.
      const ofNumber = found.filter(({ mobile }) => mobile !== null && isSameNumber(mobile, hints.mobile));
      const message = ofNumber.find(({ id }) => idEnd(id) === hints.idEnd) ?? ofNumber[0];
      if (message !== undefined) return message;
    }
    if (hints?.idEnd === undefined) return undefined;
    return (await messageByIdEnd(this.#session, { idEnd: hints.idEnd, mobile: `+${hints.mobile}` }))[0];
  }
}
