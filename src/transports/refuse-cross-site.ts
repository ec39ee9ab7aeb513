import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type { Operation } from '../contract/contract.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { type PublicAddressSettings, requireAllowedHost } from './public-address.ts';

/** The service's own pages, and whoever types the address. `same-site` is another server, or another port of this one. */
const OWN_SITE = ['same-origin', 'none'];

export interface CrossSiteSettings extends PublicAddressSettings {
  /** Origins whose pages may call every operation. */
  readonly corsOrigins: readonly string[];
}

/**
 * Keeps foreign pages from calling through the browser of somebody inside the hospital's network. Programs are let through.
 * Source: Fetch Metadata Request Headers; RFC 6454, 7.
 *
 * Throws ServiceError `MisdirectedRequest` if the page came from a host name that isn't ours and only points here (DNS rebinding):
 * to the browser it is the same origin, so it could even read the answer. Throws `CrossSite` if a page of another site calls an
 * operation that changes something, whatever program the page has send it; of the others it cannot read the answer.
 */
export function refuseCrossSite(request: Request, { name, safe }: Operation, settings: CrossSiteSettings): void {
  const { headers } = request;
  const { origin } = headers;
  const referer = headers.referer === '' ? undefined : headers.referer;
  const site = headers['sec-fetch-site'];
  // Whatever calls itself, a media player too, says by a Referer that a page sent it. What it reads, that page cannot.
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
  // Over plain HTTP a browser says nothing else of a GET; without a word of where it comes from, it may come from anywhere.
  if (senders.length === 0 && site === undefined) throw crossSite(name);
}

const crossSite = (name: string) =>
  new ServiceError('CrossSite', `${name} cannot be called from a page of another site.`);

/**
 * Whether a request looks like one of a browser that is still maintained. A page can leave Referer out and choose Accept, but neither of
 * these two; no program is known to send both. Those that call themselves Mozilla, such as .NET's proxies (4.0) and PowerShell,
 * send no Accept-Language. Source: Fetch, 2.2.2 and 4.6.
 */
const isOfBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers['accept-language'] !== undefined && headers['user-agent']?.startsWith('Mozilla/5.0') === true;

/** `null` is the origin of sandboxed frames and files, and has no host. */
const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;

const isOrigin = (url: string | undefined, origin: string | undefined): boolean =>
  origin !== undefined && originOf(url) === origin;

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
