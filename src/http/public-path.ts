import type { RequestHandler } from 'express';

/** The path under which a proxy publishes the service, without a trailing slash; empty if there is none. */
export const publicPathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

/**
 * Removes the path of PUBLIC_URL from a request's URL, so that the service also works behind a proxy that forwards URLs unchanged. Case is
 * ignored, as in the rest of the URL. `path` begins with a slash and does not end with one.
 */
export function belowPath(path: string): RequestHandler {
  const wanted = path.toLowerCase();
  return (request, _response, next) => {
    const { url } = request;
    const rest = url.slice(path.length);
    if (/^(?:[/?]|$)/.test(rest) && url.slice(0, path.length).toLowerCase() === wanted) {
      request.url = rest.startsWith('/') ? rest : `/${rest}`;
    }
    next();
  };
}
