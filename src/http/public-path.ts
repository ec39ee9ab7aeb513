import type { RequestHandler } from 'express';

/** The path under which a proxy publishes the service, without a trailing slash; empty if there is none. */
export const publicPathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

/**
 * Lets `app` route a request that no route took once more, after merging adjacent slashes in its path, as IIS does, and removing the path of
 * PUBLIC_URL, so that the service also works behind a proxy that forwards URLs unchanged. Case is ignored, as in the rest of the URL. `path`
 * is empty, or begins with a slash and does not end with one.
 */
export function belowPath(path: string, app: RequestHandler): RequestHandler {
  const wanted = path.toLowerCase();
  return (request, response, next) => {
    const { url } = request;
    if (url !== request.originalUrl) return next();
    const merged = withSingleSlashes(url);
    const rest = merged.slice(path.length);
    const isBelow = /^(?:[/?]|$)/.test(rest) && merged.slice(0, path.length).toLowerCase() === wanted;
    request.url = !isBelow ? merged : rest.startsWith('/') ? rest : `/${rest}`;
    if (request.url === url) next();
    else app(request, response, next);
  };
}

const withSingleSlashes = (url: string): string => url.replace(/^[^?]*/, (path) => path.replace(/\/+/g, '/'));
