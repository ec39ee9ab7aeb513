import { sql } from 'kysely';
import { type DeliveryReceipt, idEnd, isSameNumber, MessageStatus } from '../../vocabulary/messages.ts';
import { MESSAGE_FIELDS } from '../../vocabulary/stored-records.ts';
import type { Session } from '../session.ts';
import { changeStatement, rowStatement, statement } from '../statement.ts';
import { selected } from './record-columns.ts';

/** More messages than a gateway gives the same id. */
const MOST_OF_A_REFERENCE = 20;

const FOUND = selected(MESSAGE_FIELDS, ['id', 'mobile', 'status', 'attempts', 'submittedOn', 'reference']);

const messageById = rowStatement((db, v: { id: number }) =>
  db.selectFrom('message').select(FOUND).where('id', '=', v.id),
);

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
const messageByIdEnd = rowStatement((db, v: { mobile: string; idEnd: number }) =>
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

type FoundMessage = NonNullable<Awaited<ReturnType<typeof messageById>>>;

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
    // A message that was queued again does not end with the fate of its previous attempt.
    default:
      if (!from(Sending, Submitted)) return undefined;
      return receipt === 'failed' ? Failed : Expired;
  }
}

/** `isFitting` is false if the message has the receipt's id, but another phone than the receipt names, so that it may be about another one. */
export interface ReceiptMatch {
  readonly messageId: number;
  readonly isFitting: boolean;
}

interface ReceivedStatus extends Pick<DeliveryReceipt, 'reference' | 'code'> {
  readonly id: number;
  readonly from: number;
  readonly status: number;
  /** Undefined leaves it as it is. */
  readonly submittedOn: number | undefined;
  readonly finishedOn: number | undefined;
}

const receiveStatus = changeStatement((db, v: ReceivedStatus) =>
  db
    .updateTable('message')
    .set((row) => ({
      status: v.status,
      last_code: v.code,
      submitted_on: row.fn.coalesce('submitted_on', row.val(v.submittedOn)),
      finished_on: v.finishedOn,
      // The next receipt may identify the message by this id.
      gateway_reference: row.fn.coalesce('gateway_reference', row.val(v.reference)),
    }))
    .where('id', '=', v.id)
    .where('status', '=', v.from),
);

/**
 * Records the fate of a message. A message that has ended stays as it is, so the same receipt may arrive again. However, a message
 * that we gave up on may still turn out to have been accepted or delivered. Undefined if no message has either id.
 */
export async function receiveReceipt(
  session: Session,
  receipt: DeliveryReceipt,
  now: number,
): Promise<ReceiptMatch | undefined> {
  const { message, stranger } = await findMessage(session, receipt);
  if (message === undefined) return stranger && { messageId: stranger.id, isFitting: false };
  const { id, status: from } = message;
  const match = { messageId: id, isFitting: true };
  const status = statusAfter(receipt.status, message);
  if (status === undefined) return match;
  const { reference, code } = receipt;
  const news =
    receipt.status === 'submitted'
      ? { submittedOn: now, finishedOn: undefined, reference }
      : { submittedOn: undefined, finishedOn: now, reference: undefined };
  await receiveStatus(session, { id, from, status, code, ...news });
  return match;
}

/** `stranger`: a message with the same id, of another phone. */
async function findMessage(
  session: Session,
  { messageId, reference, hints }: DeliveryReceipt,
): Promise<{ message: FoundMessage | undefined; stranger?: FoundMessage | undefined }> {
  const byId = messageId === undefined ? undefined : await messageById(session, { id: messageId });
  const { mobiles = [] } = hints ?? {};
  const isOfNumber = ({ mobile }: FoundMessage) => mobiles.some((number) => isSameNumber(mobile ?? '', number));
  if (byId !== undefined && (mobiles.length === 0 || isOfNumber(byId))) return { message: byId };
  let stranger: FoundMessage | undefined;
  if (reference !== undefined) {
    const [second = null, third = null] = hints?.references ?? [];
    const found = await messagesByReference(session, { first: reference, second, third });
    if (hints === undefined) return { message: found[0] };
    // The same id in another notation may be another message's.
    const ofNumber = found.filter(isOfNumber);
    const message = ofNumber.find(({ id }) => idEnd(id) === hints.idEnd) ?? ofNumber[0];
    if (message !== undefined) return { message };
    stranger = found.find((other) => other.reference === reference);
    if (mobiles.length === 0 && found.length === 1) return { message: stranger };
  }
  if (hints?.idEnd !== undefined) {
    for (const mobile of mobiles) {
      const message = await messageByIdEnd(session, { idEnd: hints.idEnd, mobile: `+${mobile}` });
      if (message !== undefined) return { message };
    }
  }
  return { message: undefined, stranger };
}
