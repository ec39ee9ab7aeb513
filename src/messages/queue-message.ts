import type { CallContext, OperationDependencies } from '../calls/dependencies.ts';
import type { MessageReceipt, Sent_SMSInput } from '../contract/generated-types.ts';
import type { Message } from '../store/queries/message-queries.ts';
import type { MessageTemplate } from '../store/queries/reference-rows.ts';
import type { Queries } from '../store/store.ts';
import { messageKey } from '../store/store-keys.ts';
import { LONGEST_WAIT_SECONDS, MessagePriority, MessageStatus, type Priority } from '../vocabulary/messages.ts';
import { phoneExamples, toMobileE164 } from '../vocabulary/phone.ts';
import { Refusal, ResultCode } from '../vocabulary/result-codes.ts';
import { variableIn } from '../vocabulary/template-variables.ts';
import { nonBlank, quoted, withLineFeeds } from '../vocabulary/text.ts';
import { MS_A_MINUTE, wallMinuteAt } from '../vocabulary/time-zone.ts';
import { formatClock, spellMinute } from '../vocabulary/wall-minute.ts';
import { type SmsMode, sendableFrom, smsMode } from './sms-mode.ts';
import { MAX_SEGMENTS, smsStatusText, splitMessage, TOO_LONG } from './sms-text.ts';
import { mismatchText, templateMismatch } from './template-match.ts';

/** If the same message is sent again within this time, it is a retry; in milliseconds. */
const SAME_MESSAGE_WINDOW = MS_A_MINUTE;

/** Messages to one number within the time in which they are counted. */
const MOST_TO_NUMBER = 10;
const NUMBER_WINDOW_MINUTES = 10;
/** A one-time password is accepted if those before it, whoever sends them, are sent within this time. */
const LONGEST_PASSWORD_WAIT_SECONDS = 10;

/** Sent_SMS: puts a text message into the outbox. */
export function queueMessage({ clock, policy, messagesPerSecond, messageQueued }: OperationDependencies) {
  return sentSms;

  async function sentSms(input: Sent_SMSInput, call: CallContext): Promise<MessageReceipt> {
    const { tempid } = input;
    // For every transport, with or without a template: a form's text area sends CR LF where another caller, or a template, has LF.
    const text = withLineFeeds(input.Message ?? '');
    const mobile = toMobileE164(input.Mobileno ?? '', policy.phoneRegion);
    // Checked before the transaction, for which other writers wait, and refused in it: an Idempotency-Key is looked up first.
    const [checked] = await Promise.allSettled([check()]);
    const answer = await call.write(queue, mobile === undefined ? [] : [messageKey(mobile)]);
    if (answer.ResultCode === ResultCode.OK) messageQueued?.();
    return answer;

    async function check() {
      const number = requireMobile(mobile, input.Mobileno ?? '', policy.phoneRegion);
      required(text);
      const mode = smsMode(input.SMSmode);
      const { encoding, segments: parts } = splitMessage(text.slice(0, TOO_LONG));
      const segments = parts.length;
      if (segments > MAX_SEGMENTS) {
        const words = `the text takes more than ${MAX_SEGMENTS} segments in ${encoding}; expected at most ${MAX_SEGMENTS}.`;
        throw new Refusal('MessageTooLong', words, 'Message');
      }
      requireNoVariable(text);
      const template =
        tempid === 0 && !policy.templateRequired
          ? undefined
          : requireMatch((await call.store.reference()).template(tempid), tempid, text);
      return { mobile: number, mode, encoding, segments, template };
    }

    async function queue({ messages }: Queries): Promise<MessageReceipt> {
      if (checked.status === 'rejected') throw checked.reason;
      const { mobile, mode, encoding, segments, template } = checked.value;
      const { priority } = mode;
      const now = clock();
      const message = { client: call.client, mobile, text, tempid, mode: mode.mode, encoding, segments };
      const times = { since: now - SAME_MESSAGE_WINDOW, until: now + SAME_MESSAGE_WINDOW };
      const same = await messages.same({ ...message, ...times });
      if (same !== undefined) return receipt(ResultCode.Duplicate, 'The same message was queued a moment ago.', same);
      await requireRoom({ messages }, { mobile, priority, client: call.client, now }, messagesPerSecond);
      const dueOn = sendableFrom(mode, now, policy.timeZone);
      const id = await messages.insert({
        ...message,
        status: MessageStatus.Queued,
        priority,
        dueOn,
        expiresOn: mode.expiresAfterMinutes === undefined ? undefined : now + mode.expiresAfterMinutes * MS_A_MINUTE,
        header: template?.header ?? null,
        dltTemplateId: template?.dltTemplateId ?? null,
        principalEntityId: template?.principalEntityId ?? null,
        correlationId: call.correlationId,
        now,
      });
      const words = dueOn === now ? 'The message is queued.' : heldText(mode, dueOn, policy.timeZone);
      return receipt(ResultCode.OK, words, { ...message, id, status: MessageStatus.Queued, gateway: null });
    }
  }
}

function requireMobile(mobile: string | undefined, given: string, region: string): string {
  if (mobile !== undefined) return mobile;
  const words = `"${quoted(given)}" is not a mobile number; expected one such as ${phoneExamples(region)}.`;
  throw new Refusal('InvalidMobile', words, 'Mobileno');
}

function required(text: string): void {
  if (nonBlank(text) !== undefined) return;
  throw new Refusal('InvalidInput', 'the text to send is required.', 'Message');
}

const unknownTemplate = (tempid: number): Refusal =>
  new Refusal(
    'UnknownTemplate',
    tempid === 0
      ? '0 is not a template; expected a template number, because only messages that match a template are sent.'
      : `there is no active template ${tempid}.`,
    'tempid',
  );

/** The template, if it exists and the text matches it. */
function requireMatch(template: MessageTemplate | undefined, tempid: number, text: string): MessageTemplate {
  if (template === undefined) throw unknownTemplate(tempid);
  const mismatch = templateMismatch(withLineFeeds(template.text), text);
  if (mismatch === undefined) return template;
  throw new Refusal('TemplateMismatch', mismatchText(tempid, mismatch), 'Message');
}

/** Otherwise a patient would read a placeholder in the place of a name or a time. */
function requireNoVariable(text: string): void {
  const found = variableIn(text);
  if (found === null) return;
  const position = Array.from(text.slice(0, found.index)).length + 1;
  const words = `there is a ${quoted(found[0])} at character ${position}; expected its value.`;
  throw new Refusal('TemplateMismatch', words, 'Message');
}

/**
 * Throws Refusal TooManyMessages if the message would wait too long, or keep those of other callers waiting. Calls that run at the same
 * moment may exceed a limit by their number. `perSecond` are the messages that the outbox sends.
 */
async function requireRoom(
  { messages }: Pick<Queries, 'messages'>,
  { mobile, priority, client, now }: { mobile: string; priority: Priority; client: string; now: number },
  perSecond: number,
): Promise<void> {
  const since = now - NUMBER_WINDOW_MINUTES * MS_A_MINUTE;
  if ((await messages.countToNumber({ mobile, since, now, limit: MOST_TO_NUMBER })) >= MOST_TO_NUMBER) {
    const text = `this number was sent ${MOST_TO_NUMBER} messages within the last ${NUMBER_WINDOW_MINUTES} minutes; expected no more.`;
    throw new Refusal('TooManyMessages', text, 'Mobileno');
  }
  const most = perSecond * LONGEST_WAIT_SECONDS[priority];
  if ((await messages.countWaiting({ client, priority, limit: most })) >= most) {
    throw tooManyWaiting(`${most} messages of the same program and priority are waiting to be sent; expected no more.`);
  }
  if (priority !== MessagePriority.OneTimePassword) return;
  const limit = perSecond * LONGEST_PASSWORD_WAIT_SECONDS;
  if ((await messages.countPasswords({ limit })) >= limit) {
    throw tooManyWaiting('The one-time password could not be sent in time, because too many others are waiting.');
  }
}

const tooManyWaiting = (text: string) => new Refusal('TooManyMessages', `${text} Send this one again later.`);

function heldText({ name, window }: SmsMode, dueOn: number, zone: string): string {
  const hours = window === undefined ? '' : ` from ${formatClock(window.from)} to ${formatClock(window.to)}`;
  return `The message is queued and held until ${spellMinute(wallMinuteAt(dueOn, zone))}, because ${name} messages are sent only${hours}.`;
}

const receipt = (resultCode: number, resultText: string, message: Message): MessageReceipt => ({
  ResultCode: resultCode,
  ResultText: resultText,
  SMSID: message.id,
  Mobileno: message.mobile,
  Segments: message.segments,
  Encoding: message.encoding,
  Status: message.status,
  StatusText: smsStatusText(message.status, message.gateway),
});
