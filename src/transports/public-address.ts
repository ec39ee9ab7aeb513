import type { Request } from 'express';
import type { OriginOf } from '../access/request-origin.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { shown } from '../vocabulary/text.ts';

const MAX_PORT = 65_535;

export interface PublicAddressSettings {
  readonly publicUrl: string | undefined;
  readonly allowedHosts: readonly string[];
  /** Determines, with the help of trusted proxies, whether a request was sent over TLS. */
  readonly originOf: OriginOf;
}

/**
 * The base URL at which the caller reaches the service, without a trailing slash. It is written into the WSDL and the pages, so a Host
 * header that isn't on the list is never trusted: anyone who could choose it could choose where patient data is sent.
 */
export function publicAddress(request: Request, settings: PublicAddressSettings): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl;
  requireAllowedHost(request, settings);
  return `${settings.originOf(request).secure ? 'https' : 'http'}://${request.headers.host}`;
}

/** Throws ServiceError `MisdirectedRequest` unless the Host is on the list or is that of PUBLIC_URL. */
export function requireAllowedHost({ headers }: Request, { publicUrl, allowedHosts }: PublicAddressSettings): void {
  const host = headers.host ?? '';
  const [, written, port = ''] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  const name = written?.toLowerCase();
  const isKnown = name !== undefined && (allowedHosts.includes(name) || name === hostNameOf(publicUrl));
  // No URL can contain a greater port.
  if (isKnown && Number(port) <= MAX_PORT) return;
  throw new ServiceError(
    'MisdirectedRequest',
    host === ''
      ? 'The request has no Host header; expected the name of this server.'
      : `This server does not answer for the host "${shown(host)}"; its operator can set PUBLIC_URL or ALLOWED_HOSTS.`,
  );
}

const hostNameOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : new URL(url).hostname;
