import type { HttpTemplateInput } from './template-schema.ts';

/**
 * Kannel's smsbox, the template of SMS_GATEWAY=http:kannel. Tested with Kannel 1.4.5.
 * Its `sendsms-user` needs `max-messages = 5` and `concatenation = true`.
 * Source: Kannel 1.4 user's guide, "SMS push cgi variables", "Delivery reports".
 */
export const KANNEL: HttpTemplateInput = {
  method: 'POST',
  url: 'http://127.0.0.1:13013/cgi-bin/sendsms',
  // It does not accept forms. In a query, the password, the number and the text would end up in the logs of every intermediary.
  headers: {
    'X-Kannel-Username': '{username}',
    'X-Kannel-Password': '{password}',
    'X-Kannel-From?': '{sender}',
    'X-Kannel-To': '{to}',
    'X-Kannel-Coding': { $by: 'encoding', 'GSM-7': 0, 'UCS-2': 2 },
    'X-Kannel-MClass': { $by: 'flash', true: 0 },
    'X-Kannel-Validity?': '{expiresInMinutes}',
    // Delivered, not delivered, accepted by the center, refused by the center. Acceptance resolves the outcome of a message whose answer
    // was lost.
    'X-Kannel-DLR-Mask': { $by: 'hasCallback', true: 27 },
    'X-Kannel-DLR-Url?': '{callbackUrl}?id={reference}&status=%d',
    'X-Kannel-Meta-Data?': '?smpp?PE_ID={principalEntityId}&TEMPLATE_ID={dltTemplateId}',
  },
  body: { text: '{text}', escape: 'none', contentType: 'text/plain; charset=UTF-8' },
  answers: [
    { status: [202], body: '^[03]:', means: 'submitted' },
    { status: [503], means: 'unavailable' },
    { status: [400, 406], means: 'refused' },
  ],
  callbacks: {
    messageId: 'id',
    statuses: [
      { name: 'status', match: '^1$', means: 'delivered' },
      { name: 'status', match: '^(?:2|16)$', means: 'failed' },
      // Not delivered, with a bit for the reason. This is not in the guide, but Kannel 1.4.5 sends it.
      { name: 'status', match: '^3[24]$', means: 'expired' },
      { name: 'status', match: '^(?:4|8)$', means: 'submitted' },
    ],
  },
};
