import { count, optional, parsed, secret, setting, type ValuesOf } from './setting.ts';

/** Where text messages are sent. `messages/gateways/choose-gateway.ts` opens the gateway. */
export type GatewayLocation =
  /** Messages are only queued. */
  | { readonly kind: 'off' }
  | { readonly kind: 'file'; readonly path: string }
  /** `kannel`, or a file that describes the gateway's requests and answers. */
  | { readonly kind: 'http'; readonly template: string }
  | {
      readonly kind: 'smpp';
      readonly host: string;
      readonly port: number;
      readonly tls: boolean;
      readonly systemType: string;
    };

const EXPECTED_GATEWAY =
  'expected off, file:FILE, http:kannel, http:FILE.json, smpp://HOST:PORT or ssmpp://HOST:PORT, see docs/operators/text-messages.md';

/** Returns what is expected if the text names no gateway. */
function gatewayLocation(value: string): GatewayLocation | string {
  if (value === 'off') return { kind: 'off' };
  const path = /^file:(.+)$/.exec(value)?.[1];
  if (path !== undefined) return { kind: 'file', path };
  const template = /^http:(.+\.json|kannel)$/.exec(value)?.[1];
  if (template !== undefined) return { kind: 'http', template };
  const [, scheme, host, port, query = ''] =
    /^(s?smpp):\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\]):(\d{1,5})\/?(?:\?(.*))?$/i.exec(value) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65535) return EXPECTED_GATEWAY;
  const options = new URLSearchParams(query);
  if ([...options.keys()].some((name) => name !== 'system_type')) return EXPECTED_GATEWAY;
  return {
    kind: 'smpp',
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port),
    tls: scheme?.toLowerCase() === 'ssmpp',
    systemType: options.get('system_type') ?? '',
  };
}

export const SMS_SETTINGS = {
  gateway: setting(
    'SMS_GATEWAY',
    parsed(
      'Where text messages are sent: `file:` followed by a file, `http:` followed by `kannel` or a template file, `smpp://` or `ssmpp://` with host and port, or `off`, which only queues them',
      'file:./data/sms.jsonl',
      gatewayLocation,
    ),
  ),
  rate: setting(
    'SMS_RATE',
    count('Maximum number of message segments per second passed to the gateway', 20, 1, 10_000),
  ),
  sender: setting('SMS_SENDER', optional('Sender of messages whose template has no header')),
  username: setting('SMS_USERNAME', optional('User name for an HTTP gateway, or system_id for an SMPP gateway')),
  password: secret('SMS_PASSWORD', optional('Password or API key for the gateway')),
  callbackSecret: secret(
    'SMS_CALLBACK_SECRET',
    optional(
      'Last part of the address at which an HTTP gateway reports the status of a message; if unset, the gateway cannot report it',
    ).refine(
      // Gateways insert the address into their own requests, and some interpret a percent sign there themselves.
      (v) => v === undefined || /^[A-Za-z0-9_-]{16,128}$/.test(v),
      'expected 16 to 128 letters, digits, hyphens and underscores',
    ),
  ),
};

export type SmsConfig = ValuesOf<typeof SMS_SETTINGS>;
