import type { IncomingHttpHeaders } from 'node:http';
import type { Incoming } from '../access/client.ts';
import type { Operation, Transport } from '../contract/contract.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { type PublicAddressSettings, requireOwnHost } from './public-address.ts';

interface Entering extends Incoming {
  readonly transport: Transport | 'http';
}

export interface CrossSiteSettings extends PublicAddressSettings {
  /** Origins whose pages may call every operation. */
  readonly corsOrigins: readonly string[];
}

/**
 * Keeps other sites' pages from calling the service through the browser of somebody inside the hospital's network. Programs are allowed.
 * Source: Fetch Metadata Request Headers; RFC 6454, 7.
 *
 * Throws ServiceError `MisdirectedRequest` for a foreign host name. Throws `CrossSite` if an operation that changes something is called by
 * another site's page, or by a link outside any page, as in a mail. A page cannot read the answers of the other operations, but its images
 * and scripts would leave traces of somebody in the audit trail.
 */
export function refuseCrossSite(incoming: Entering, { name, safe }: Operation, settings: CrossSiteSettings): void {
  requireOwnHost(incoming, settings);
  const { headers } = incoming.request;
  const { origin, referer, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && settings.corsOrigins.includes(origin)) return;
  // Browsers send it only to addresses that they trust: with TLS, or on loopback.
  if (site === 'same-origin') return;
  if (safe && (site === undefined || headers['sec-fetch-mode'] === 'navigate')) return;
  // No page can add a key without a preflight request, which is refused. A browser adds a password by itself, once somebody has logged in.
  if (incoming.client.ways?.has('apiKey')) return;
  // Whatever the program calls itself (it may be a media player), a Referer shows that a page caused the request.
  const senders = [origin, referer || undefined].filter((from) => from !== undefined);
  // Nor can it send XML without one, whatever parameters the media type has: Fetch, 2.2.2.
  const isUnknown = senders.length === 0 && !incoming.transport.startsWith('soap') && isOfBrowser(headers);
  if (site !== undefined || isUnknown || !senders.every((from) => isOwn(from, incoming, settings))) {
    throw new ServiceError(
      'CrossSite',
      `${name} cannot be called from a page of another site, a link or a typed address; the operator can list the site in CORS_ORIGINS.`,
    );
  }
}

/**
 * Whether a request may be an image, a link or a form of any page: over plain HTTP, a browser says nothing of the page if that wants it so.
 * For these, a page can choose neither language nor User-Agent without a preflight request; no other header counts, as it may choose those.
 * Media players ask for a range. Qt sends language and User-Agent by itself, but no Accept; programs that call themselves Mozilla, such as
 * .NET's proxies (4.0) and PowerShell, send no Accept-Language. Source: Fetch, 2.2.2, 3.2 and 4.6.
 */
const isOfBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers.range !== undefined ||
  (headers.accept !== undefined &&
    headers['accept-language'] !== undefined &&
    headers['user-agent']?.startsWith('Mozilla/5.0') === true);

/** Whether a page's URL is of PUBLIC_URL, or of the address that the request was sent to. `null`, as of sandboxed frames, is neither. */
function isOwn(url: string, { request, origin: { secure } }: Incoming, { publicUrl }: CrossSiteSettings): boolean {
  const origin = pageOrigin(url);
  const scheme = secure ? 'https' : 'http';
  return (
    origin !== undefined && [publicUrl, `${scheme}://${request.headers.host}`].some((own) => pageOrigin(own) === origin)
  );
}

const pageOrigin = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
