import { EXPECTED_NETWORK, isNetwork } from '../access/ip-networks.ts';
import { choice, flag, list, type SettingValues, text } from './setting.ts';

const path = (meaning: string) => text(meaning, '').transform((v) => (v === '' ? undefined : v));

/** Who may call, over which transport security, and from behind which proxies. */
export const ACCESS_SETTINGS = {
  CLIENTS_FILE: path(
    'JSON file that lists the clients and what they may call (see [access.md](access.md)); without it, there is no access control',
  ),
  PROTECT_METADATA: flag(
    '`true` shows the WSDL, the pages and the OpenAPI document only to clients in the clients file',
    'false',
  ),
  HTTP_GET: flag('`false` turns off the GET form of the operations', 'true'),
  HTTP_POST: flag('`false` turns off the POST form of the operations, and with it the form on their pages', 'true'),
  TLS_CERT: path(
    'PEM file of the certificate, followed by the intermediate certificates; with `TLS_KEY`, the service uses HTTPS',
  ),
  TLS_KEY: path('PEM file of the private key that belongs to `TLS_CERT`'),
  TLS_CLIENT_CA: path(
    'PEM file of the certificate authorities that issue client certificates; with it, the service requests client certificates',
  ),
  TLS_CLIENT_CERT_REQUIRED: flag(
    '`true` closes connections without a client certificate issued by `TLS_CLIENT_CA`',
    'false',
  ),
  TRUSTED_PROXIES: list(
    'Comma-separated addresses and networks of the proxies that are trusted to say where a request comes from',
    '',
  ).refine((networks) => networks.every(isNetwork), EXPECTED_NETWORK),
  PROXY_HEADERS: choice(
    'Headers in which the proxies say where a request comes from: `x-forwarded` (X-Forwarded-For, X-Forwarded-Proto) or `forwarded` (RFC 7239)',
    'x-forwarded',
    ['x-forwarded', 'forwarded'],
  ),
  PROXY_CLIENT_CERTIFICATES: flag(
    '`true` also trusts what the proxies in `TRUSTED_PROXIES` say about client certificates (see [access.md](access.md#behind-a-proxy)); each proxy must clear the certificate headers of the requests that it receives',
    'false',
  ),
};

export const accessConfig = (s: SettingValues<typeof ACCESS_SETTINGS>) => ({
  access: {
    clientsFile: s.CLIENTS_FILE,
    protectMetadata: s.PROTECT_METADATA,
    httpGet: s.HTTP_GET,
    httpPost: s.HTTP_POST,
    /** Paths of PEM files; undefined if the service speaks plain HTTP. */
    tls:
      s.TLS_CERT === undefined || s.TLS_KEY === undefined
        ? undefined
        : {
            cert: s.TLS_CERT,
            key: s.TLS_KEY,
            clientCa: s.TLS_CLIENT_CA,
            clientCertRequired: s.TLS_CLIENT_CERT_REQUIRED,
          },
    trustedProxies: s.TRUSTED_PROXIES as readonly string[],
    proxyHeaders: s.PROXY_HEADERS,
    proxyClientCertificates: s.PROXY_CLIENT_CERTIFICATES,
  },
});

/**
 * Explains settings that only make sense together with another one. Without the clients file, some would promise protection that does not
 * exist.
 */
export function accessMistakes(s: SettingValues<typeof ACCESS_SETTINGS>): readonly string[] {
  const needClients = {
    PROTECT_METADATA: s.PROTECT_METADATA,
    PROXY_CLIENT_CERTIFICATES: s.PROXY_CLIENT_CERTIFICATES,
    TLS_CLIENT_CA: s.TLS_CLIENT_CA !== undefined && !s.TLS_CLIENT_CERT_REQUIRED,
  };
  const names = s.CLIENTS_FILE === undefined ? Object.entries(needClients).filter(([, isSet]) => isSet) : [];
  return [
    ...tlsMistakes(s),
    ...names.map(([name]) => `${name}: expected CLIENTS_FILE with it`),
    ...(s.PROXY_CLIENT_CERTIFICATES && s.TRUSTED_PROXIES.length === 0
      ? ['PROXY_CLIENT_CERTIFICATES: expected TRUSTED_PROXIES with it']
      : []),
  ];
}

function tlsMistakes(s: SettingValues<typeof ACCESS_SETTINGS>): readonly string[] {
  const { TLS_CERT, TLS_KEY, TLS_CLIENT_CA, TLS_CLIENT_CERT_REQUIRED } = s;
  if (TLS_CERT !== undefined && TLS_KEY === undefined) return ['TLS_CERT: expected TLS_KEY with it'];
  if (TLS_KEY !== undefined && TLS_CERT === undefined) return ['TLS_KEY: expected TLS_CERT with it'];
  if (TLS_CERT === undefined) {
    const needTls = { TLS_CLIENT_CA: TLS_CLIENT_CA !== undefined, TLS_CLIENT_CERT_REQUIRED };
    return Object.entries(needTls).flatMap(([name, isSet]) =>
      isSet ? [`${name}: expected TLS_CERT and TLS_KEY with it`] : [],
    );
  }
  return TLS_CLIENT_CERT_REQUIRED && TLS_CLIENT_CA === undefined
    ? ['TLS_CLIENT_CERT_REQUIRED: expected TLS_CLIENT_CA with it']
    : [];
}
