import type { RequestHandler } from 'express';

/** The path under which a proxy publishes the service, without a trailing slash; empty if there is none. */
export const publicPathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

/**
 * Merges adjacent slashes in the path of a request's URL, as IIS does. Removes the path of PUBLIC_URL, so that the service also works behind
 * a proxy that forwards URLs unchanged. Case is ignored, as in the rest of the URL. `path` is empty, or begins with a slash and does not end
 * with one.
 */
export function belowPath(path: string): RequestHandler {
  const wanted = path.toLowerCase();
  return (request, _response, next) => {
    if (/^[^?]*\/\//.test(request.url)) request.url = withSingleSlashes(request.url);
    if (path === '') return next();
    const { url } = request;
    const rest = url.slice(path.length);
    if (/^(?:[/?]|$)/.test(rest) && url.slice(0, path.length).toLowerCase() === wanted) {
      request.url = rest.startsWith('/') ? rest : `/${rest}`;
    }
    next();
  };
}

/** A URL with its scheme and host is left as it is. */
function withSingleSlashes(url: string): string {
  if (!url.startsWith('/')) return url;
  const mark = url.indexOf('?');
  const end = mark === -1 ? url.length : mark;
  return url.slice(0, end).replace(/\/+/g, '/') + url.slice(end);
}
