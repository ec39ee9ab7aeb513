import type { HttpTemplateInput } from './template-schema.ts';

/**
 * Kannel's smsbox. Tried against Kannel 1.4.5. Its `sendsms-user` needs `max-messages = 5` and `concatenation = true`.
 * Source: Kannel 1.4 user's guide, "SMS push cgi variables", "Delivery reports".
 */
const KANNEL: HttpTemplateInput = {
  method: 'POST',
  url: 'http://127.0.0.1:13013/cgi-bin/sendsms',
  // It takes no forms; of a query, the password, the number and the text would end up in the logs of what lies between.
  headers: {
    'X-Kannel-Username': '{username}',
    'X-Kannel-Password': '{password}',
    'X-Kannel-From?': '{sender}',
    'X-Kannel-To': '{to}',
    'X-Kannel-Coding': { $by: 'encoding', 'GSM-7': 0, 'UCS-2': 2 },
    'X-Kannel-MClass': { $by: 'flash', true: 0 },
    'X-Kannel-Validity?': '{expiresInMinutes}',
    // Delivered, not delivered, taken by the center, refused by the center. That it was taken settles a message whose answer was lost.
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
      // Not delivered, with a bit for the reason; the guide does not have it, Kannel 1.4.5 does.
      { name: 'status', match: '^3[24]$', means: 'expired' },
      { name: 'status', match: '^(?:4|8)$', means: 'submitted' },
    ],
  },
};

/**
 * MSG91's v2 `sendsms`, which takes whole texts; its newer flows take only the values of a template's variables. Not tried against
 * the provider. Source: msg91.com/help, "How to use Webhook to get the delivery report"; the request as in Sunbird's configuration guide.
 */
const MSG91: HttpTemplateInput = {
  method: 'POST',
  url: 'https://api.msg91.com/api/v2/sendsms',
  headers: { authkey: '{apiKey}', Accept: 'application/json' },
  body: {
    json: {
      sender: '{sender}',
      route: '4',
      unicode: { $by: 'encoding', 'UCS-2': 1 },
      flash: { $by: 'flash', true: 1 },
      'DLT_TE_ID?': '{dltTemplateId}',
      sms: [{ message: '{text}', to: ['{toDigits}'] }],
    },
  },
  answers: [
    { status: ['2xx'], json: { type: ['success'] }, means: 'submitted', reference: { json: 'message' } },
    // Key, address of the caller, credit or route: no message is to blame.
    {
      json: { code: ['201', '207', '208', '301', '302', '303', '306', '418', '506'] },
      means: 'unavailable',
      code: { json: 'code' },
    },
    { status: ['2xx', '4xx'], json: { type: ['error'] }, means: 'refused', code: { json: 'code' } },
  ],
  callbacks: {
    events: ['data.*.report.*', ''],
    reference: 'requestId',
    code: 'status',
    statuses: [
      { name: 'status', match: '^1$', means: 'delivered' },
      { name: 'status', match: '^(?:2|9|16|17|25)$', means: 'failed' },
    ],
  },
};

/**
 * Gupshup Enterprise SMS. Not tried against the provider.
 * Source: docs.gupshup.io, "Send Messages to Single Number", "Real Time Delivery Reports".
 */
const GUPSHUP: HttpTemplateInput = {
  method: 'POST',
  url: 'https://enterprise.smsgupshup.com/GatewayAPI/rest',
  body: {
    form: {
      method: 'SendMessage',
      userid: '{username}',
      password: '{password}',
      auth_scheme: 'plain',
      v: '1.1',
      format: 'text',
      send_to: '{toDigits}',
      msg: '{text}',
      msg_type: {
        $by: 'flash',
        true: { $by: 'encoding', 'GSM-7': 'FLASH', 'UCS-2': 'UNICODE_FLASH' },
        false: { $by: 'encoding', 'GSM-7': 'TEXT', 'UCS-2': 'UNICODE_TEXT' },
      },
      'mask?': '{sender}',
      'principalEntityId?': '{principalEntityId}',
      'dltTemplateId?': '{dltTemplateId}',
    },
  },
  answers: [
    {
      status: ['2xx'],
      body: '^\\s*success\\s*\\|',
      means: 'submitted',
      reference: { match: '^\\s*success\\s*\\|[^|]*\\|\\s*([^|\\s]+)' },
    },
    // 102: authentication failed.
    { body: '^\\s*error\\s*\\|\\s*102\\s*\\|', means: 'unavailable', code: { match: '^\\s*error\\s*\\|\\s*(\\d+)' } },
    { body: '^\\s*error\\s*\\|', means: 'refused', code: { match: '^\\s*error\\s*\\|\\s*(\\d+)' } },
  ],
  callbacks: {
    events: ['response.*', '*', ''],
    reference: 'externalId',
    code: 'errCode',
    statuses: [
      { name: 'eventType', match: '^DELIVERED$', means: 'delivered' },
      { name: 'eventType', match: '^FAILED$', means: 'failed' },
      { name: 'status', match: '^(?:SUCCESS|Success)$', means: 'delivered' },
      { name: 'status', match: '^(?:FAILURE|Failure)$', means: 'failed' },
    ],
  },
};

/**
 * Textlocal India. Finds the DLT template by the text itself, and sends no flash messages. Not tried against the provider.
 * Source: api.textlocal.in/docs, "Send SMS", "API introduction"; api.txtlocal.com/docs, "Handling receipts".
 */
const TEXTLOCAL: HttpTemplateInput = {
  method: 'POST',
  url: 'https://api.textlocal.in/send/',
  body: {
    form: {
      apikey: '{apiKey}',
      numbers: '{toDigits}',
      'sender?': '{sender}',
      message: '{text}',
      unicode: { $by: 'encoding', 'UCS-2': true },
      custom: '{reference}',
      'receipt_url?': '{callbackUrl}',
      format: 'json',
    },
  },
  answers: [
    { status: ['2xx'], json: { status: ['success'] }, means: 'submitted', reference: { json: 'messages.0.id' } },
    // 3: login, 7: credits.
    { json: { 'errors.0.code': ['3', '7'] }, means: 'unavailable', code: { json: 'errors.0.code' } },
    // 191, 192: outside the hours in which the provider sends.
    { json: { 'errors.0.code': ['191', '192'] }, means: 'failed', code: { json: 'errors.0.code' } },
    { json: { status: ['failure'] }, means: 'refused', code: { json: 'errors.0.code' } },
  ],
  callbacks: {
    messageId: 'customID',
    code: 'status',
    statuses: [
      { name: 'status', match: '^D$', means: 'delivered' },
      { name: 'status', match: '^[UI]$', means: 'failed' },
      // No receipt came within four days.
      { name: 'status', match: '^\\?$', means: 'expired' },
    ],
  },
};

/** By the name that SMS_GATEWAY=http:NAME has. */
export const HTTP_PRESETS: ReadonlyMap<string, HttpTemplateInput> = new Map([
  ['kannel', KANNEL],
  ['msg91', MSG91],
  ['gupshup', GUPSHUP],
  ['textlocal', TEXTLOCAL],
]);
