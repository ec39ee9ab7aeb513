import type { MessageFate } from '../store/queries/outbox-fate.ts';
import type { ClaimedMessage } from '../store/queries/outbox-queries.ts';
import { MessageStatus } from '../vocabulary/messages.ts';
import { harmlessCode, type SendFate } from './gateways/gateway.ts';
import type { OutboxDependencies } from './outbox-settings.ts';
import { sendableFrom, smsMode } from './sms-mode.ts';

/** The fate of a claimed message that must not be sent now; undefined if it may be. */
export function fateWithoutSending(
  { id, mode, attempts, unanswered, expiresOn, dueOn }: ClaimedMessage,
  now: number,
  { tries, timeZone, log }: OutboxDependencies,
): MessageFate | undefined {
  if (expiresOn !== null && expiresOn <= now) {
    log.warn('message expired', { messageId: id });
    return { kind: 'ended', id, status: MessageStatus.Expired, code: null };
  }
  if (unanswered >= tries) {
    log.error('message dead, its attempts are used up', { messageId: id, attempt: attempts });
    return { kind: 'ended', id, status: MessageStatus.Dead, code: 'taken-over' };
  }
  const sendable = sendableFrom(smsMode(mode), now, timeZone);
  if (sendable <= now) return undefined;
  return { kind: 'queued', id, dueOn: Math.max(sendable, dueOn), usesAttempt: false, code: null };
}

/** A complete answer that is not understood will probably be the same the next time, and the patient may have got each of the messages. */
const MOST_NOT_UNDERSTOOD = 2;

/** As long as the longest wait between two probes: the messages may all wait for credit, and whoever recharged it wants to see them go. */
const LONGEST_SET_BACK_MS = 60_000;

/** The fraction of failed probes after which another message is sent as a probe first. */
const SET_BACK = 1 / 10;

/** The fate of a message after an attempt, which is also logged for the operator. `wasProbe`: the gateway was known to be unavailable. */
export function fateOfSending(
  { id, attempts, unanswered, queuedOn, dueOn, expiresOn }: ClaimedMessage,
  sent: SendFate,
  wasProbe: boolean,
  { gateway, tries, retryBaseMs, leaseMs, clock, random, log }: OutboxDependencies,
): MessageFate {
  const now = clock();
  const code = sent.kind === 'submitted' ? null : (harmlessCode(sent.code) ?? null);
  const fields = { messageId: id, attempt: attempts, code: code ?? undefined };
  // An attempt without an answer is one of its own kind, because the patient may get the message twice.
  const failures = attempts - unanswered;
  const delayMs = () => retryDelayMs(failures, retryBaseMs, random);
  const dead = (): MessageFate => {
    log.error('message dead, its attempts are used up', fields);
    return { kind: 'ended', id, status: MessageStatus.Dead, code };
  };
  switch (sent.kind) {
    case 'submitted':
      log.info('message submitted', fields);
      return { kind: 'submitted', id, gateway: gateway.description, reference: sent.reference };
    case 'refused':
      log.warn('message refused by the gateway', fields);
      return { kind: 'ended', id, status: MessageStatus.Rejected, code };
    case 'unavailable': {
      // The gateway may give this answer only to this message and accept others, so occasionally the next probe is a different message.
      const isSetBack = wasProbe && random() < SET_BACK;
      return { kind: 'queued', id, dueOn: isSetBack ? Math.max(dueOn, now) : dueOn, usesAttempt: false, code };
    }
    case 'account': {
      // Only its own sender or template may be at fault, so others go first, the longer it has waited.
      const milliseconds = Math.floor(random() * Math.min(LONGEST_SET_BACK_MS, Math.max(retryBaseMs, now - queuedOn)));
      log.info('message not accepted, waits for its next attempt', { ...fields, milliseconds });
      return { kind: 'queued', id, dueOn: now + milliseconds, usesAttempt: false, code };
    }
    case 'unknown':
    case 'not-understood': {
      const [event, most] =
        sent.kind === 'unknown' ? ['no answer received', tries] : ['answer not understood', MOST_NOT_UNDERSTOOD];
      log.warn(`message sent, ${event}`, fields);
      // A receipt can still settle it.
      if (unanswered + 1 >= most) return dead();
      const until = now + silenceMs(unanswered, leaseMs, random);
      return { kind: 'unanswered', id, until: Math.min(until, expiresOn ?? until), code };
    }
    case 'failed': {
      // A probe is postponed, so that a message that fails because of its own content does not block all others.
      if (wasProbe) return { kind: 'queued', id, dueOn: now + delayMs(), usesAttempt: false, code };
      if (failures >= tries) return dead();
      const milliseconds = delayMs();
      log.info('message not accepted, waits for its next attempt', { ...fields, milliseconds });
      return { kind: 'queued', id, dueOn: now + milliseconds, usesAttempt: true, code };
    }
  }
}

export const LONGEST_RETRY_MS = 15 * 60 * 1000;
/** Before the tenth at most by which the waits differ. */
export const LONGEST_SILENCE_MS = 3 * 60 * 60 * 1000;

/**
 * How many milliseconds to wait for a receipt before a message that was not answered is sent again, by the number of earlier attempts
 * without an answer: with a lease of 30 s, eight attempts last more than 12 hours, so that a gateway that accepts connections but answers
 * nothing for a night neither ends the night's messages nor gets them more often.
 */
const silenceMs = (unanswered: number, leaseMs: number, random: () => number): number =>
  Math.floor(Math.min(LONGEST_SILENCE_MS, leaseMs * 10 ** unanswered) * (1 + random() / 10));

/**
 * How many milliseconds to wait after a number of failed attempts: a random time from zero to `baseMs`, which is doubled for each attempt
 * after the first, up to 15 minutes, so that messages that failed together are not retried together.
 * Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog: full jitter.
 */
export function retryDelayMs(attempts: number, baseMs: number, random: () => number): number {
  return Math.floor(random() * Math.min(LONGEST_RETRY_MS, baseMs * 2 ** Math.max(0, attempts - 1)));
}
