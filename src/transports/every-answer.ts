import type { RequestHandler } from 'express';
import { isSecure, type PublicAddressSettings } from './public-address.ts';

/** Headers of every answer: it holds patients' data, is never something else than it says, and no other site's page may show it. */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  // The style and the images are those that browsers show XML as a tree with.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

export interface EveryAnswerSettings extends Pick<PublicAddressSettings, 'originOf'> {
  /** For how many seconds browsers are told to use TLS alone; 0 tells nothing. */
  readonly hstsSeconds: number;
}

/** Puts these headers on an answer; over TLS, Strict-Transport-Security too if it is asked for. Over plain HTTP it means nothing: RFC 6797, 7.2. */
export function everyAnswer({ hstsSeconds, ...settings }: EveryAnswerSettings): RequestHandler {
  const headers = new Map(Object.entries(EVERY_ANSWER));
  const hsts = `max-age=${hstsSeconds}`;
  return (request, response, next) => {
    response.setHeaders(headers);
    if (hstsSeconds > 0 && isSecure(request, settings)) response.setHeader('Strict-Transport-Security', hsts);
    next();
  };
}
