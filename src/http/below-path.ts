import type { RequestHandler } from 'express';

/**
 * Takes the path of PUBLIC_URL off a request's address, so that the service answers behind a proxy that hands addresses on whole, too. Case does not
 * count, as in the rest of the address. `path` begins with a slash and ends without one.
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
