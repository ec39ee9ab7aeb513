import { MessageStatus } from '../../vocabulary/messages.ts';
import type { Session } from '../session.ts';
import { changeStatement } from '../statement.ts';

/** What is recorded about each message that was claimed. Instants in ms. */
export type MessageFate = { readonly id: number } & (
  | { readonly kind: 'submitted'; readonly gateway: string; readonly reference: string | undefined }
  | { readonly kind: 'ended'; readonly status: EndStatus; readonly code: string | null }
  /** The message waits again. `usesAttempt` is false if this attempt does not count. */
  | { readonly kind: 'queued'; readonly dueOn: number; readonly usesAttempt: boolean; readonly code: string | null }
  /** The gateway may have accepted it. A receipt can confirm that until the instant `until`; then it is sent again. */
  | { readonly kind: 'unanswered'; readonly until: number; readonly code: string | null }
);

type EndStatus = typeof MessageStatus.Expired | typeof MessageStatus.Rejected | typeof MessageStatus.Dead;

interface Sent {
  readonly id: number;
  readonly holder: string;
  readonly now: number;
}

/** A receipt may have arrived before the gateway's answer. Then only what the receipt did not say is added. */
const submitMessage = changeStatement((db, v: Sent & { gateway: string; reference: string | undefined }) =>
  db
    .updateTable('message')
    .set((row) => {
      const ifSending = row.case().when('status', '=', MessageStatus.Sending);
      return {
        status: ifSending.then(MessageStatus.Submitted).else(row.ref('status')).end(),
        last_code: ifSending.then(null).else(row.ref('last_code')).end(),
        submitted_on: row.fn.coalesce('submitted_on', row.val(v.now)),
        gateway: v.gateway,
        gateway_reference: v.reference,
        leased_by: null,
        lease_ends_on: null,
      };
    })
    .where('id', '=', v.id)
    .where('leased_by', '=', v.holder)
    .where('status', 'in', SENT),
);

const { Sending, Submitted, Delivered, Failed, Expired } = MessageStatus;
const SENT = [Sending, Submitted, Delivered, Failed, Expired];

interface Settled extends Sent {
  readonly status: number;
  readonly code: string | null;
  /** Undefined leaves it as it is. */
  readonly dueOn: number | undefined;
  readonly finishedOn: number | undefined;
  readonly leasedUntil: number | undefined;
  /** Attempts that do not count: 0 or 1. */
  readonly unused: number;
  /** 0 or 1. */
  readonly unanswered: number;
}

const settleMessage = changeStatement((db, v: Settled) =>
  db
    .updateTable('message')
    .set((row) => ({
      status: v.status,
      due_on: row.fn.coalesce(row.val(v.dueOn), row.ref('due_on')),
      attempts: row('attempts', '-', v.unused),
      unanswered: row('unanswered', '+', v.unanswered),
      finished_on: v.finishedOn,
      last_code: v.code,
      leased_by: null,
      lease_ends_on: v.leasedUntil,
    }))
    .where('id', '=', v.id)
    .where('leased_by', '=', v.holder)
    .where('status', '=', MessageStatus.Sending),
);

/** Records a fate. Returns false if this holder no longer has the message, or if a receipt has ended it. */
export async function recordFate(session: Session, fate: MessageFate, holder: string, now: number): Promise<boolean> {
  const { id } = fate;
  if (fate.kind === 'submitted') {
    const { gateway, reference } = fate;
    return (await submitMessage(session, { id, holder, now, gateway, reference })) === 1;
  }
  const values = {
    id,
    holder,
    now,
    status: fate.kind === 'ended' ? fate.status : STATUS_OF[fate.kind],
    code: fate.code,
    dueOn: fate.kind === 'queued' ? fate.dueOn : undefined,
    finishedOn: fate.kind === 'ended' ? now : undefined,
    leasedUntil: fate.kind === 'unanswered' ? fate.until : undefined,
    unanswered: fate.kind === 'unanswered' ? 1 : 0,
    unused: fate.kind === 'queued' && !fate.usesAttempt ? 1 : 0,
  };
  return (await settleMessage(session, values)) === 1;
}

const STATUS_OF = { queued: MessageStatus.Queued, unanswered: MessageStatus.Sending } as const;
