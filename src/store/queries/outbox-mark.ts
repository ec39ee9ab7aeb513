import { MessageStatus } from '../../vocabulary/messages.ts';
import { type Session, statement } from '../statement.ts';

/** A mark for each message that was claimed. Instants in ms. */
export type OutboxMark =
  | {
      readonly kind: 'submitted';
      readonly id: number;
      readonly gateway: string;
      readonly reference: string | undefined;
    }
  /** The message ends: 6 Expired, 7 Rejected or 8 Dead. */
  | {
      readonly kind: 'ended';
      readonly id: number;
      readonly status: typeof MessageStatus.Expired | typeof MessageStatus.Rejected | typeof MessageStatus.Dead;
      readonly code: string | null;
    }
  /** The message waits again. `counted` is false if this attempt does not count. */
  | {
      readonly kind: 'queued';
      readonly id: number;
      readonly dueOn: number;
      readonly counted: boolean;
      readonly code: string | null;
    }
  /** The gateway may have accepted it. A receipt can confirm that until the instant `until`. */
  | { readonly kind: 'unanswered'; readonly id: number; readonly until: number; readonly code: string | null };

const markSubmitted = statement(
  (db, v: { id: number; holder: string; gateway: string; reference: string | undefined; now: number }, { stored }) =>
    db
      .updateTable('message')
      .set({
        status: MessageStatus.Submitted,
        submitted_on: stored(v.now, v.now),
        gateway: v.gateway,
        gateway_reference: v.reference,
        leased_by: null,
        leased_until: null,
        last_code: null,
      })
      .where('id', '=', v.id)
      .where('leased_by', '=', v.holder)
      .where('status', '=', MessageStatus.Sending)
      .returning('id'),
);

/** For a message whose receipt arrived before we recorded the gateway's answer. */
const noteSubmitted = statement(
  (db, v: { id: number; holder: string; gateway: string; reference: string | undefined; now: number }, { stored }) =>
    db
      .updateTable('message')
      .set((row) => ({
        submitted_on: row.fn.coalesce('submitted_on', stored(v.now, v.now)),
        gateway: v.gateway,
        gateway_reference: v.reference,
        leased_by: null,
        leased_until: null,
      }))
      .where('id', '=', v.id)
      .where('leased_by', '=', v.holder)
      .where('status', 'in', [
        MessageStatus.Submitted,
        MessageStatus.Delivered,
        MessageStatus.Failed,
        MessageStatus.Expired,
      ])
      .returning('id'),
);

const endMessage = statement(
  (db, v: { id: number; holder: string; status: number; code: string | null; now: number }, { stored }) =>
    db
      .updateTable('message')
      .set({
        status: v.status,
        finished_on: stored(v.now, v.now),
        last_code: v.code,
        leased_by: null,
        leased_until: null,
      })
      .where('id', '=', v.id)
      .where('leased_by', '=', v.holder)
      .where('status', '=', MessageStatus.Sending)
      .returning('id'),
);

const requeueMessage = statement(
  (
    db,
    v: { id: number; holder: string; now: number; dueOn: number; uncounted: number; code: string | null },
    { stored },
  ) =>
    db
      .updateTable('message')
      .set((row) => ({
        status: MessageStatus.Queued,
        due_on: stored(v.dueOn, v.now),
        attempts: row('attempts', '-', v.uncounted),
        last_code: v.code,
        leased_by: null,
        leased_until: null,
      }))
      .where('id', '=', v.id)
      .where('leased_by', '=', v.holder)
      .where('status', '=', MessageStatus.Sending)
      .returning('id'),
);

const awaitAnswer = statement(
  (db, v: { id: number; holder: string; now: number; until: number; code: string | null }, { stored }) =>
    db
      .updateTable('message')
      .set({ leased_by: null, leased_until: stored(v.until, v.now), last_code: v.code })
      .where('id', '=', v.id)
      .where('leased_by', '=', v.holder)
      .where('status', '=', MessageStatus.Sending)
      .returning('id'),
);

/** Writes a mark. Returns false if this holder no longer has the message, or if a receipt has ended it. */
export async function markMessage(session: Session, mark: OutboxMark, holder: string, now: number): Promise<boolean> {
  const { id } = mark;
  switch (mark.kind) {
    case 'submitted': {
      const values = { id, holder, gateway: mark.gateway, reference: mark.reference, now };
      if ((await markSubmitted(session, values)).length === 1) return true;
      return (await noteSubmitted(session, values)).length === 1;
    }
    case 'ended':
      return (await endMessage(session, { id, holder, status: mark.status, code: mark.code, now })).length === 1;
    case 'queued': {
      const uncounted = mark.counted ? 0 : 1;
      const values = { id, holder, now, dueOn: mark.dueOn, uncounted, code: mark.code };
      return (await requeueMessage(session, values)).length === 1;
    }
    case 'unanswered':
      return (await awaitAnswer(session, { id, holder, now, until: mark.until, code: mark.code })).length === 1;
  }
}
