import type { RequestHandler } from 'express';

/** A path without parameters, and what serves it. */
export type ExactPath = readonly [path: string, handler: RequestHandler];

/**
 * Serves requests whose path is written exactly so, which holds for nearly all calls: comparing texts costs a fraction of Express's patterns.
 * The routes must serve them, too, for other spellings: a different case, a slash at the end, percent-encoding.
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
