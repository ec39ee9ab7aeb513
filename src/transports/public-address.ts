import { type Incoming, provesSecret } from '../access/client.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { quoted } from '../vocabulary/text.ts';

const MAX_PORT = 65_535;

export interface PublicAddressSettings {
  readonly publicUrl: string | undefined;
  /** Lower-case, without ports; with that of PUBLIC_URL. */
  readonly allowedHosts: readonly string[];
}

/** A name without a dot, which nobody can register, or an IP address, which is not resolved: no foreign page can have it for its name. */
const NEVER_FOREIGN = /^(?:[\w-]+|[\d.]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Whether a Host header names this server: by an IP address, a name without a dot, or one of `allowedHosts`. A foreign page may have any other
 * name resolve to this server (DNS rebinding), which makes it the same origin to the browser. No Host at all is no browser's.
 */
export const isOwnHost = (host: string | undefined, allowedHosts: readonly string[]): boolean =>
  !host || NEVER_FOREIGN.test(host) || allowedHosts.includes(host.replace(/\.?(?::\d*)?$/, '').toLowerCase());

/** Throws ServiceError `MisdirectedRequest` unless the Host is this server's, or the caller has proved a secret, which no page knows. */
export function requireOwnHost({ request, client }: Incoming, { allowedHosts }: PublicAddressSettings): void {
  const { host } = request.headers;
  if (!isOwnHost(host, allowedHosts) && !provesSecret(client)) throw misdirected(host);
}

/**
 * The base URL at which the caller reaches the service, without a trailing slash. It is written into the WSDL and the pages, so a Host
 * header that isn't on the list is never trusted: anyone who could choose it could choose where patient data is sent. Throws ServiceError
 * `MisdirectedRequest`.
 */
export function publicAddress(incoming: Incoming, settings: PublicAddressSettings): string {
  requireOwnHost(incoming, settings);
  const { publicUrl, allowedHosts } = settings;
  if (publicUrl !== undefined) return publicUrl;
  const { host = '' } = incoming.request.headers;
  const [, name = '', port = ''] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  // No URL can contain a greater port.
  if (!allowedHosts.includes(name.toLowerCase()) || Number(port) > MAX_PORT) throw misdirected(host);
  return `${incoming.origin.secure ? 'https' : 'http'}://${host}`;
}

const misdirected = (host = ''): ServiceError =>
  new ServiceError(
    'MisdirectedRequest',
    host === ''
      ? 'The request has no Host header; expected the name of this server.'
      : `This server does not answer for the host "${quoted(host)}"; its operator can set PUBLIC_URL or ALLOWED_HOSTS.`,
  );
