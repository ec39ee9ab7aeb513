import type { Log } from '../log/log.ts';
import { sendableFrom, smsMode } from '../rules/sms-mode.ts';
import type { OutboxMark } from '../store/queries/outbox-mark.ts';
import type { ClaimedMessage } from '../store/queries/outbox-queries.ts';
import { MessageStatus } from '../vocabulary/messages.ts';
import { harmlessCode, type SendOutcome } from './gateway.ts';
import { retryDelay } from './retry-delay.ts';

export interface JudgeDependencies {
  /** The gateway's description. */
  readonly gateway: string;
  readonly tries: number;
  /** Milliseconds. */
  readonly retryBase: number;
  /** Milliseconds. */
  readonly lease: number;
  readonly random: () => number;
  readonly log: Log;
}

/** What to record for a claimed message that must not be sent now; undefined if it may be. `isLate`: another process may own it now. */
export function markInsteadOfSending(
  { id, mode, attempts, expiresOn, dueOn }: ClaimedMessage,
  now: number,
  isLate: boolean,
  { tries, timeZone, log }: Pick<JudgeDependencies, 'tries' | 'log'> & { readonly timeZone: string },
): OutboxMark | undefined {
  if (expiresOn !== null && expiresOn <= now) {
    log.warn('message expired', { messageId: id });
    return { kind: 'ended', id, status: MessageStatus.Expired, code: null };
  }
  if (attempts > tries) {
    log.error('message dead, its attempts are used up', { messageId: id, attempt: attempts });
    return { kind: 'ended', id, status: MessageStatus.Dead, code: 'taken-over' };
  }
  const sendable = sendableFrom(smsMode(mode), now, timeZone);
  if (sendable <= now && !isLate) return undefined;
  return { kind: 'queued', id, dueOn: Math.max(sendable > now ? sendable : 0, dueOn), counted: false, code: null };
}

/** The fraction of failed probes after which another message gets its turn. */
const SET_BACK = 1 / 10;

/**
 * What to record for a message after an attempt, which is also logged for the operator. `wasProbe`: the gateway was known to be
 * unavailable.
 */
export function judgeOutcome(
  { id, attempts, dueOn }: Pick<ClaimedMessage, 'id' | 'attempts' | 'dueOn'>,
  outcome: SendOutcome,
  now: number,
  wasProbe: boolean,
  { gateway, tries, retryBase, lease, random, log }: JudgeDependencies,
): OutboxMark {
  const code = outcome.kind === 'submitted' ? null : (harmlessCode(outcome.code) ?? null);
  const fields = { messageId: id, attempt: attempts, ...(code === null ? {} : { code }) };
  switch (outcome.kind) {
    case 'submitted':
      log.info('message submitted', fields);
      return { kind: 'submitted', id, gateway, reference: outcome.reference };
    case 'refused':
      log.warn('message refused by the gateway', fields);
      return { kind: 'ended', id, status: MessageStatus.Rejected, code };
    case 'unavailable': {
      // The gateway may give this answer only to this message and accept others, so occasionally the next probe is a different message.
      const isSetBack = wasProbe && random() < SET_BACK;
      return { kind: 'queued', id, dueOn: isSetBack ? Math.max(dueOn, now) : dueOn, counted: false, code };
    }
    case 'unknown':
      log.warn('message sent, no answer received', fields);
      return { kind: 'unanswered', id, until: now + lease, code };
    case 'failed':
      if (wasProbe) {
        // Its turn is postponed, so that a message that fails because of its own content does not block all others.
        return { kind: 'queued', id, dueOn: now + retryDelay(attempts, retryBase, random), counted: false, code };
      }
      return tryAgain({ id, attempts, code }, now, { tries, retryBase, random, log });
  }
}

/** After an attempt that counts: the message waits for the next attempt, or is dead. */
export function tryAgain(
  { id, attempts, code }: { readonly id: number; readonly attempts: number; readonly code: string | null },
  now: number,
  { tries, retryBase, random, log }: Pick<JudgeDependencies, 'tries' | 'retryBase' | 'random' | 'log'>,
): OutboxMark {
  const fields = { messageId: id, attempt: attempts, ...(code === null ? {} : { code }) };
  if (attempts >= tries) {
    log.error('message dead, its attempts are used up', fields);
    return { kind: 'ended', id, status: MessageStatus.Dead, code };
  }
  const wait = retryDelay(attempts, retryBase, random);
  log.info('message not accepted, waits for its next attempt', { ...fields, milliseconds: wait });
  return { kind: 'queued', id, dueOn: now + wait, counted: true, code };
}
