import { smsMode } from '../rules/sms-mode.ts';
import type { ClaimedMessage } from '../store/queries/outbox-queries.ts';
import type { OutgoingMessage } from './gateway.ts';

/** Converts a message of the outbox to the form in which a gateway receives it. */
export const outgoingMessage = (message: ClaimedMessage): OutgoingMessage => ({
  id: message.id,
  mobile: message.mobile,
  text: message.text,
  encoding: message.encoding === 'GSM-7' ? 'GSM-7' : 'UCS-2',
  flash: smsMode(message.mode).flash,
  expiresOn: message.expiresOn ?? undefined,
  header: message.header ?? undefined,
  dltTemplateId: message.dltTemplateId ?? undefined,
  principalEntityId: message.principalEntityId ?? undefined,
});
