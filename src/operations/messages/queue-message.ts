import type { MessageReceipt, Sent_SMSInput } from '../../contract/generated-types.ts';
import { shown } from '../../errors.ts';
import { Refusal, ResultCode } from '../../result-codes.ts';
import { toMobileE164 } from '../../rules/phone.ts';
import { MAX_SEGMENTS, measureMessage, smsMode, smsStatusText } from '../../rules/sms-text.ts';
import type { Message } from '../../store/records/message-records.ts';
import type { CallContext, OperationDependencies } from '../dependencies.ts';
import { given } from '../given.ts';

/** The same message within this time is a retry, in milliseconds. */
const SAME_MESSAGE_WINDOW = 60 * 1000;
const QUEUED = 1;

/** Sent_SMS: puts a text message into the outbox. */
export const queueMessage =
  ({ clock, policy }: OperationDependencies) =>
  async (input: Sent_SMSInput, { store }: CallContext): Promise<MessageReceipt> => {
    const { tempid } = input;
    const mobile = toMobileE164(input.Mobileno ?? '', policy.phoneRegion);
    if (mobile === undefined) {
      throw new Refusal(
        'InvalidMobile',
        `Parameter Mobileno: "${shown(input.Mobileno ?? '')}" is not a mobile number; expected one such as 9845012345 or +919845012345.`,
        'Mobileno',
      );
    }
    const text = given(input.Message);
    if (text === undefined)
      throw new Refusal('InvalidInput', 'Parameter Message is needed: the text to send.', 'Message');
    const mode = smsMode(input.SMSmode);
    const { encoding, segments } = measureMessage(text);
    if (segments > MAX_SEGMENTS) {
      throw new Refusal(
        'MessageTooLong',
        `Parameter Message takes ${segments} segments as ${encoding}; at most ${MAX_SEGMENTS} are sent.`,
        'Message',
      );
    }
    if (tempid !== 0) {
      throw new Refusal(
        'UnknownTemplate',
        `Parameter tempid: template ${tempid} cannot be used yet; expected 0, which is no template.`,
        'tempid',
      );
    }
    return store.write(async ({ messages }) => {
      const now = clock();
      const message = { mobile, text, tempid, mode: mode.mode, encoding, segments };
      const same = await messages.same({ ...message, since: now - SAME_MESSAGE_WINDOW });
      if (same !== undefined) return receipt(ResultCode.Duplicate, 'The same message was queued just before.', same);
      const id = await messages.insert({ ...message, status: QUEUED, now });
      return receipt(ResultCode.OK, 'The message is queued.', { ...message, id, status: QUEUED });
    });
  };

const receipt = (resultCode: number, resultText: string, message: Message): MessageReceipt => ({
  ResultCode: resultCode,
  ResultText: resultText,
  SMSID: message.id,
  Mobileno: message.mobile,
  Segments: message.segments,
  Encoding: message.encoding,
  Status: message.status,
  StatusText: smsStatusText(message.status),
});
