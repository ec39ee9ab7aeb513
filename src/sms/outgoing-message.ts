import { smsMode } from '../rules/sms-text.ts';
import type { ClaimedMessage } from '../store/records/outbox-records.ts';
import type { OutgoingMessage } from './gateway.ts';

/** A message of the outbox as it is handed to a gateway. */
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
