import type { Transport } from '../contract/contract.ts';
import { EXPECTED_NETWORK, isNetwork } from '../vocabulary/ip-address.ts';
import { count, flag, list, optional, optionalCount, setting, type ValuesOf } from './setting.ts';

/** An origin as browsers send it: no path, no default port, lower case. That of an app has a scheme of its own, such as `capacitor:`. */
function isOrigin(value: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:[\]-]+$/.test(value) || !URL.canParse(value)) return false;
  const { origin, protocol, host } = new URL(value);
  return value === (origin === 'null' ? `${protocol}//${host}` : origin);
}

/** Who may call, over which transport security, from behind which proxies and from which pages. */
export const ACCESS_SETTINGS = {
  clientsFile: setting(
    'CLIENTS_FILE',
    optional(
      'JSON file that lists the clients and what they may call (see [access.md](access.md)); without it, there is no access control',
    ),
  ),
  protectMetadata: setting(
    'PROTECT_METADATA',
    flag('`true` shows the WSDL, the pages and the OpenAPI document only to clients in the clients file', 'false'),
  ),
  /** The transports that are offered. */
  transports: setting(
    'HTTP_FORMS',
    list(
      'Comma-separated forms of the operations: `get`, `post` or both; `none` turns both off. The form on the pages needs `post`',
      'get,post',
    )
      .refine(
        (forms) => String(forms) === 'none' || forms.every((form) => form === 'get' || form === 'post'),
        'expected get, post, get,post or none',
      )
      .transform((forms): readonly Transport[] => [
        ...(['soap11', 'soap12'] as const),
        ...(forms.includes('get') ? (['httpGet'] as const) : []),
        ...(forms.includes('post') ? (['httpPost'] as const) : []),
      ]),
  ),
  tlsCert: setting(
    'TLS_CERT',
    optional(
      'PEM file of the certificate, followed by the intermediate certificates; with `TLS_KEY`, the service uses HTTPS',
    ),
  ),
  tlsKey: setting('TLS_KEY', optional('PEM file of the private key that belongs to `TLS_CERT`')),
  tlsClientCa: setting(
    'TLS_CLIENT_CA',
    optional(
      'PEM file of the certificate authorities that issue client certificates; with it, the service requests client certificates, and without `CLIENTS_FILE` it closes connections that have none',
    ),
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    list(
      'Comma-separated addresses and networks of the proxies that are trusted to say, in X-Forwarded-For and X-Forwarded-Proto, where a request comes from',
      '',
    ).refine((networks) => networks.every(isNetwork), EXPECTED_NETWORK),
  ),
  proxyClientCertificates: setting(
    'PROXY_CLIENT_CERTIFICATES',
    flag(
      '`true` also trusts what the proxies in `TRUSTED_PROXIES` say about client certificates (see [access.md](access.md#behind-a-proxy)); each proxy must clear the certificate headers of the requests that it receives',
      'false',
    ),
  ),
  /** Exactly as browsers send them. */
  corsOrigins: setting(
    'CORS_ORIGINS',
    list(
      'Comma-separated origins whose pages may call the service by script and read its answers, such as https://desk.example.org, or capacitor://localhost of an app',
      '',
    ).refine(
      (origins) => origins.every(isOrigin),
      'expected origins such as https://desk.example.org or capacitor://localhost, in lower case, without path and default port',
    ),
  ),
};

type AccessValues = ValuesOf<typeof ACCESS_SETTINGS>;

/** PEM files; undefined if the service speaks plain HTTP. Without a clients file, a certificate is the only proof, so each caller needs one. */
export const tlsOf = ({ tlsCert: cert, tlsKey: key, tlsClientCa: clientCa, clientsFile }: AccessValues) =>
  cert === undefined || key === undefined
    ? undefined
    : { cert, key, clientCa, clientCertRequired: clientCa !== undefined && clientsFile === undefined };

/**
 * Explains settings that only make sense together with another one. Without the clients file, some would promise protection that does not
 * exist.
 */
export function accessMistakes(s: AccessValues): readonly string[] {
  const mistakes: string[] = [];
  const need = (name: string, isSet: boolean, other: string, isThere: boolean) => {
    if (isSet && !isThere) mistakes.push(`${name}: expected ${other} with it`);
  };
  const [hasCert, hasKey] = [s.tlsCert !== undefined, s.tlsKey !== undefined];
  need('TLS_CERT', hasCert, 'TLS_KEY', hasKey);
  need('TLS_KEY', hasKey, 'TLS_CERT', hasCert);
  need('TLS_CLIENT_CA', s.tlsClientCa !== undefined, 'TLS_CERT and TLS_KEY', hasCert || hasKey);
  need('PROTECT_METADATA', s.protectMetadata, 'CLIENTS_FILE', s.clientsFile !== undefined);
  need('PROXY_CLIENT_CERTIFICATES', s.proxyClientCertificates, 'CLIENTS_FILE', s.clientsFile !== undefined);
  need('PROXY_CLIENT_CERTIFICATES', s.proxyClientCertificates, 'TRUSTED_PROXIES', s.trustedProxies.length > 0);
  return mistakes;
}

const MOST_PER_MINUTE = 100_000_000;
/** 100 per second is more than any hospital's programs request from one address, but far less than the service can answer. */
const DEFAULT_RATE = 6000;
const MOST_CONNECTIONS = 1_000_000;

/** How much one caller may request. */
export const LIMIT_SETTINGS = {
  rate: setting(
    'RATE_LIMIT',
    optionalCount(
      `Requests per minute for one client, or for one address if the client is unknown; 0 means no limit. If unset, the limit is ${DEFAULT_RATE}, and callers on this machine are not limited`,
      0,
      MOST_PER_MINUTE,
    ).transform((rate) => ({ perMinute: rate ?? DEFAULT_RATE, limitsThisMachine: rate !== undefined })),
  ),
  connections: setting(
    'MAX_CONNECTIONS',
    count(
      'Maximum number of open connections, of which one address that is not a trusted proxy has at most a tenth; the last tenth is reserved for addresses that have none yet. The service waits for slow callers (30 s for the next byte of a request, 120 s for all of it, 120 s for the next request), so this is what bounds slow attacks',
      10_000,
      1,
      MOST_CONNECTIONS,
    ),
  ),
};
