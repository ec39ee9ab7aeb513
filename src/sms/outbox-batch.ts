import type { Log } from '../log/log.ts';
import { SMS_MODES, sendableFrom } from '../rules/sms-mode.ts';
import type { MessageOutcome } from '../store/queries/outbox-outcome.ts';
import type { ClaimedMessage } from '../store/queries/outbox-queries.ts';
import type { Queries } from '../store/store.ts';

/** What a process wants from the outbox. */
export interface BatchWish {
  /** Instant, ms. */
  readonly now: number;
  readonly holder: string;
  readonly leaseMs: number;
  /** IANA name. */
  readonly timeZone: string;
  readonly outcomes: readonly MessageOutcome[];
  /** Ids of messages in flight, whose leases are to be extended. */
  readonly renewed: readonly number[];
  /** Number of messages that may be claimed. */
  readonly room: number;
  /**
   * False for a process that has only just started listening: a receipt may still arrive for a message that a stopped process had in
   * flight.
   */
  readonly takesOver: boolean;
}

/**
 * The work of one transaction: records the outcomes of messages, and claims the next ones. The same transaction takes or renews the lease,
 * so that a process that has lost it claims nothing.
 *
 * Returns whether the holder has the outbox, the ids of messages whose outcome was too late (`lost`) and of those that expired, and the
 * messages to be sent, some of them `abandoned` by a process that disappeared.
 */
export async function exchangeBatch({ outbox }: Queries, wish: BatchWish) {
  const { now, holder, leaseMs, timeZone, outcomes, renewed, room, takesOver } = wish;
  const lease = { holder, now, leasedUntil: now + leaseMs };
  const lost: number[] = [];
  const claimed: ClaimedMessage[] = [];
  for (const outcome of outcomes) if (!(await outbox.record(outcome, holder, now))) lost.push(outcome.id);
  const isLeading = await outbox.hold(lease);
  if (!isLeading) return { isLeading, lost, expired: [], abandoned: [], claimed };
  for (const id of renewed) await outbox.renew({ ...lease, id });
  const expired = await outbox.expire(now);
  for (const mode of SMS_MODES.slice(1)) {
    const until = sendableFrom(mode, now, timeZone);
    if (until > now) await outbox.holdBack({ mode: mode.mode, now, until });
  }
  const abandoned = takesOver ? await outbox.claimAbandoned({ ...lease, limit: room }) : [];
  claimed.push(...abandoned);
  if (takesOver) claimed.push(...(await outbox.claimUnanswered({ ...lease, limit: room - claimed.length })));
  claimed.push(...(await outbox.claim({ ...lease, limit: room - claimed.length })));
  return { isLeading, lost, expired, abandoned, claimed };
}

export type Batch = Awaited<ReturnType<typeof exchangeBatch>>;

/** Logs what an operator may look for. */
export function reportBatch({ lost, expired, abandoned }: Batch, log: Log): void {
  for (const messageId of lost) log.info('message settled by a receipt or another process', { messageId });
  for (const messageId of expired) log.warn('message expired', { messageId });
  for (const { id, attempts } of abandoned) log.warn('message taken over', { messageId: id, attempt: attempts });
}
