import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type { Operation } from '../contract/contract.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { type PublicAddressSettings, requireAllowedHost } from './public-address.ts';

/** The service's own pages, and users who type the address. `same-site` is another server, or another port of this one. */
const OWN_SITE = ['same-origin', 'none'];

export interface CrossSiteSettings extends PublicAddressSettings {
  /** Origins whose pages may call every operation. */
  readonly corsOrigins: readonly string[];
}

/**
 * Keeps other sites' pages from calling the service through the browser of somebody inside the hospital's network. Programs are allowed.
 * Source: Fetch Metadata Request Headers; RFC 6454, 7.
 *
 * Throws ServiceError `MisdirectedRequest` if the page came from a host name that isn't ours but resolves to this server (DNS rebinding):
 * to the browser it is the same origin, so it could even read the answer. Throws `CrossSite` if another site's page calls an operation that
 * changes something, whichever program sends the call for the page; the page cannot read the answers of other operations.
 */
export function refuseCrossSite(request: Request, { name, safe }: Operation, settings: CrossSiteSettings): void {
  const { headers } = request;
  const { origin } = headers;
  const referer = headers.referer === '' ? undefined : headers.referer;
  const site = headers['sec-fetch-site'];
  // Whatever the program calls itself (it may be a media player), a Referer shows that a page caused the request. That page cannot read the
  // answer.
  const isSentByPage = referer !== undefined && !safe;
  if (origin === undefined && site === undefined && !isSentByPage && !isOfBrowser(headers)) return;
  if (origin !== undefined && settings.corsOrigins.includes(origin)) return;
  const publicOrigin = originOf(settings.publicUrl);
  const isPublicOrigin = isOrigin(origin, publicOrigin);
  if (!isPublicOrigin) requireAllowedHost(request, settings);
  if (safe) return;
  if (site !== undefined && !OWN_SITE.includes(String(site))) throw crossSite(name);
  const isOwn = (from: string): boolean => isOrigin(from, publicOrigin) || hostOf(from) === headers.host?.toLowerCase();
  const senders = [origin, referer].filter((from) => from !== undefined);
  if (!senders.every(isOwn)) throw crossSite(name);
  // Over plain HTTP, a browser sends nothing else with a GET. A request that does not say where it comes from may come from anywhere.
  if (senders.length === 0 && site === undefined) throw crossSite(name);
}

const crossSite = (name: string) =>
  new ServiceError('CrossSite', `${name} cannot be called from a page of another site.`);

/**
 * Whether a request looks like that of a browser that is still maintained. A page can omit Referer and choose Accept, but can control
 * neither of these two headers; no program is known to send both. Programs that call themselves Mozilla, such as .NET's proxies (4.0) and
 * PowerShell, send no Accept-Language. Source: Fetch, 2.2.2 and 4.6.
 */
const isOfBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers['accept-language'] !== undefined && headers['user-agent']?.startsWith('Mozilla/5.0') === true;

/** `null` is the origin of sandboxed frames and files, and has no host. */
const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;

const isOrigin = (url: string | undefined, origin: string | undefined): boolean =>
  origin !== undefined && originOf(url) === origin;

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
