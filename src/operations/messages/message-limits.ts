import type { SmsMode } from '../../rules/sms-mode.ts';
import { MS_A_MINUTE } from '../../rules/time-zone.ts';
import type { Queries } from '../../store/store.ts';
import { MessagePriority } from '../../vocabulary/messages.ts';
import { Refusal } from '../../vocabulary/result-codes.ts';

/** What the outbox can take, so that one caller cannot hold up the messages of the others. */
export interface MessageLimits {
  /** Messages that are sent in a second. */
  readonly rate: number;
  /** Messages of one client that may wait to be sent. */
  readonly mostWaiting: number;
}

/** Messages to one number within the time in which they are counted. */
const MOST_TO_NUMBER = 10;
const NUMBER_WINDOW_MINUTES = 10;
/** A one-time password is accepted if those before it are sent within this time. */
const LONGEST_PASSWORD_WAIT_SECONDS = 10;
/** One client's passwords take at most this part of it. */
const CLIENT_SHARE = 1 / 2;

interface Message {
  readonly mobile: string;
  readonly mode: SmsMode;
  readonly client: string;
  readonly now: number;
}

/**
 * Throws Refusal TooManyMessages if the message would wait too long, or keep others waiting. Calls that run at the same moment may exceed a
 * limit by their number. `limits` is undefined if messages are only queued.
 */
export async function requireRoom(
  { messages }: Pick<Queries, 'messages'>,
  { mobile, mode, client, now }: Message,
  limits: MessageLimits | undefined,
): Promise<void> {
  const since = now - NUMBER_WINDOW_MINUTES * MS_A_MINUTE;
  if ((await messages.countToNumber({ mobile, since, now, limit: MOST_TO_NUMBER })) >= MOST_TO_NUMBER) {
    const text = `this number was sent ${MOST_TO_NUMBER} messages within the last ${NUMBER_WINDOW_MINUTES} minutes; expected no more`;
    throw new Refusal('TooManyMessages', `Parameter Mobileno: ${text}.`, 'Mobileno');
  }
  if (limits === undefined) return;
  const { rate, mostWaiting } = limits;
  const isFull = async (client: string | undefined, limit: number, onlyPasswords: boolean) =>
    (await messages.countWaiting({ client, limit, onlyPasswords })) >= limit;
  if (await isFull(client, mostWaiting, false)) {
    throw tooManyWaiting(`${mostWaiting} messages of the same program are waiting to be sent; expected no more.`);
  }
  if (mode.priority !== MessagePriority.OneTimePassword) return;
  const most = rate * LONGEST_PASSWORD_WAIT_SECONDS;
  if ((await isFull(client, most * CLIENT_SHARE, true)) || (await isFull(undefined, most, true))) {
    throw tooManyWaiting('The one-time password could not be sent in time, because too many others are waiting.');
  }
}

const tooManyWaiting = (text: string) => new Refusal('TooManyMessages', `${text} Send this one again later.`);
