import type { Request } from 'express';
import type { Operation } from '../contract/contract.ts';
import { ServiceError } from '../errors.ts';
import { type PublicAddressSettings, requireAllowedHost } from './public-address.ts';

/** The service's own pages, and whoever types the address. `same-site` is another server, or another port of this one. */
const OWN_SITE = ['same-origin', 'none'];

/**
 * Keeps foreign pages from calling through the browser of somebody inside the hospital's network. Programs send neither of the two
 * headers that browsers do, and are let through. Source: Fetch Metadata Request Headers; RFC 6454, 7.
 *
 * Throws ServiceError `MisdirectedRequest` if the page came from a host name that isn't ours and only points here (DNS rebinding):
 * to the browser it is the same origin, so it could even read the answer. Throws `CrossSite` if a page of another site calls an
 * operation that changes something; of the others it cannot read the answer.
 */
export function refuseCrossSite(request: Request, { name, safe }: Operation, settings: PublicAddressSettings): void {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin === undefined && site === undefined) return;
  const isPublicOrigin = origin !== undefined && origin === originOf(settings.publicUrl);
  if (!isPublicOrigin) requireAllowedHost(request, settings);
  if (safe) return;
  const isForeign = site !== undefined && !OWN_SITE.includes(String(site));
  if (!isForeign && (origin === undefined || isPublicOrigin || hostOf(origin) === host?.toLowerCase())) return;
  throw new ServiceError('CrossSite', `${name} cannot be called from a page of another site.`);
}

const originOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : new URL(url).origin);

/** `null` is the origin of sandboxed frames and files, and has no host. */
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
