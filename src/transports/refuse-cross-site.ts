import type { Request } from 'express';
import type { Operation } from '../contract/contract.ts';
import { ServiceError } from '../errors.ts';

/** The service's own pages, and whoever types the address. `same-site` is another server, or another port of this one. */
const OWN_SITE = ['same-origin', 'none'];

/**
 * Throws ServiceError `CrossSite` if a page of another site has a browser call an operation that changes something: such a call
 * comes from inside the hospital's network, with the rights of whoever looks at the page. Programs send neither header.
 * Source: Fetch Metadata Request Headers; RFC 6454, 7.
 */
export function refuseCrossSite({ headers }: Request, { name, safe }: Operation, publicUrl: string | undefined): void {
  if (safe) return;
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && !OWN_SITE.includes(String(site));
  if (!isForeign && (origin === undefined || isOwn(origin, headers.host, publicUrl))) return;
  throw new ServiceError('CrossSite', `${name} cannot be called from a page of another site.`);
}

function isOwn(origin: string, host: string | undefined, publicUrl: string | undefined): boolean {
  // `null` is the origin of sandboxed frames and files.
  if (!URL.canParse(origin)) return false;
  if (publicUrl !== undefined && new URL(publicUrl).origin === origin) return true;
  return new URL(origin).host === host?.toLowerCase();
}
