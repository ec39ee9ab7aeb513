import type { RequestHandler } from 'express';

/** A path without parameters, and its handler. */
export type ExactPath = readonly [path: string, handler: RequestHandler];

/**
 * Serves requests whose path is spelled exactly like this, as nearly all calls are: comparing texts takes a fraction of the time of
 * Express's patterns. The routes must serve these paths, too, for other spellings: a different case, a trailing slash, percent-encoding.
 */
export function exactPaths(paths: readonly ExactPath[]): RequestHandler {
  return (request, response, next) => {
    const { path } = request;
    for (const [exact, handler] of paths) {
      if (path === exact) {
        handler(request, response, next);
        return;
      }
    }
    next();
  };
}
