import { HELD_PRIORITY, SMS_MODES, sendableFrom } from '../rules/sms-mode.ts';
import type { OutboxMark } from '../store/queries/outbox-mark.ts';
import type { ClaimedMessage, UnansweredMessage } from '../store/queries/outbox-queries.ts';
import type { Queries } from '../store/store.ts';
import { LONGEST_RETRY } from './retry-delay.ts';

/** The priorities of messages, highest first. */
export const PRIORITIES: readonly number[] = [
  ...new Set([...SMS_MODES.map(({ priority }) => priority), HELD_PRIORITY]),
].sort((a, b) => b - a);
const MODES_WITH_HOURS = SMS_MODES.slice(1).filter(({ window }) => window !== undefined);

export interface TurnPlan {
  /** Instant, ms. */
  readonly now: number;
  readonly holder: string;
  /** Milliseconds. */
  readonly lease: number;
  /** IANA name. */
  readonly timeZone: string;
  /** Marks to be recorded. */
  readonly marks: readonly OutboxMark[];
  /** Ids of messages in flight, whose leases are to be extended. */
  readonly renewed: readonly number[];
  /** Whether to look for messages that were queued before the clock was set back. */
  readonly checksClock?: boolean;
  /** Number of messages that may be taken. */
  readonly room: number;
  /**
   * False for a process that has only just started listening: a receipt may still arrive for a message that a stopped process had in
   * flight.
   */
  readonly takesOver: boolean;
  /** A message of the first of these priorities that has any is claimed before all others. By default there are none. */
  readonly favoured?: readonly number[];
}

export interface Turn {
  /** Whether the holder has the outbox. If not, nothing was claimed. */
  readonly leading: boolean;
  /** Messages whose mark was too late. */
  readonly lost: readonly number[];
  readonly expired: readonly number[];
  readonly takenOver: readonly ClaimedMessage[];
  readonly unanswered: readonly UnansweredMessage[];
  /** Number of messages that were due too far ahead, and are due now. */
  readonly hastened: number;
  readonly claimed: readonly ClaimedMessage[];
}

/**
 * The work of one transaction: records the outcomes of messages, and claims the next ones. The same transaction takes or renews the lease,
 * so that a process that has lost it claims nothing.
 */
export async function takeTurn({ outbox }: Queries, plan: TurnPlan): Promise<Turn> {
  const { now, holder, lease, timeZone, marks, renewed, checksClock = false, room, takesOver, favoured = [] } = plan;
  const leasedUntil = now + lease;
  const lost: number[] = [];
  for (const mark of marks) if (!(await outbox.mark(mark, holder, now))) lost.push(mark.id);
  const leading = await outbox.hold({ holder, now, leasedUntil });
  if (!leading) return { leading, lost, expired: [], takenOver: [], unanswered: [], hastened: 0, claimed: [] };
  for (const id of renewed) await outbox.renew({ id, holder, now, leasedUntil });
  const expired = await outbox.expire(now);
  for (const { mode, priority, ...hours } of MODES_WITH_HOURS) {
    const until = sendableFrom({ mode, priority, ...hours }, now, timeZone);
    if (until === now) continue;
    for (const each of [priority, HELD_PRIORITY]) {
      await outbox.postpone({ mode, priority: each, heldPriority: HELD_PRIORITY, now, until });
    }
  }
  let hastened = 0;
  for (const priority of checksClock ? PRIORITIES : []) {
    // Only messages that are held until morning wait for longer than that.
    if (priority !== HELD_PRIORITY) hastened += await outbox.hasten({ priority, now, latest: now + LONGEST_RETRY });
  }
  const claim = { now, holder, leasedUntil };
  const unanswered = takesOver ? await outbox.takeUnanswered(claim) : [];
  const takenOver = room === 0 || !takesOver ? [] : await outbox.takeOver({ ...claim, limit: room });
  const claimed: ClaimedMessage[] = [];
  const left = () => room - takenOver.length - claimed.length;
  for (const priority of favoured) {
    if (claimed.length === 0 && left() > 0) claimed.push(...(await outbox.claim({ ...claim, priority, limit: 1 })));
  }
  for (const priority of PRIORITIES) {
    if (left() > 0) claimed.push(...(await outbox.claim({ ...claim, priority, limit: left() })));
  }
  return { leading, lost, expired, takenOver, unanswered, hastened, claimed };
}
