import type { NewMessage } from '../../../src/store/queries/message-queries.ts';

let count = 0;

/** The number of a phone that gets no other message, for which a message would have to wait. */
export const otherNumber = (): string => `+9198${String(46_000_000 + count++)}`;

/** A message as Sent_SMS queues it at an instant, unless the values say otherwise. */
export const newMessage = (now: number, values: Partial<NewMessage> = {}): NewMessage => ({
  mobile: '+919845012345',
  text: 'Your appointment is at 10:15.',
  tempid: 0,
  mode: 1,
  encoding: 'GSM-7',
  segments: 1,
  status: 1,
  priority: 0,
  dueOn: now,
  expiresOn: undefined,
  header: null,
  dltTemplateId: null,
  principalEntityId: null,
  client: 'anonymous',
  correlationId: 'test',
  now,
  ...values,
});
