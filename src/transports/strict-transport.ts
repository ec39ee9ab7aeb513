import type { RequestHandler } from 'express';
import { isSecure, type PublicAddressSettings } from './public-address.ts';

/** Tells browsers that use TLS to use only TLS for this many seconds. Over plain HTTP it would have no effect: RFC 6797, 7.2. */
export function strictTransport(seconds: number, settings: Pick<PublicAddressSettings, 'originOf'>): RequestHandler {
  const value = `max-age=${seconds}`;
  return (request, response, next) => {
    if (isSecure(request, settings)) response.setHeader('Strict-Transport-Security', value);
    next();
  };
}
