import nodeModule, { createRequire } from 'node:module';

/** For each library, the modules that it loads for functions that this service does not use. */
const UNUSED = {
  // Calling other services: this service only answers.
  soap: ['./client', './http', './security'],
  // Nested parameters in a query string: http/app.ts tells Express to parse none. Sending files and looking up file name extensions:
  // the pages and their media types are in the code.
  express: ['qs', 'send', 'serve-static', 'mime-types'],
  // Exemplars, quantiles, and metrics that are pushed.
  'prom-client': ['@opentelemetry/api', './lib/summary', './lib/pushgateway'],
};

/** Of `node:http`. Reading them for the first time loads Node's fetch, and importing the module reads everything that it exports. */
const BROWSER_CLASSES = ['WebSocket', 'CloseEvent', 'MessageEvent'];

/**
 * Substitutes empty modules for those that the service would load but never use. They would account for a tenth of the time of a start, and
 * for memory as long as the service runs. For start.js, before anything else is loaded.
 */
export function leaveUnloaded() {
  const require = createRequire(import.meta.url);
  for (const [library, parts] of Object.entries(UNUSED)) {
    const ofLibrary = createRequire(require.resolve(library));
    for (const part of parts) {
      const file = ofLibrary.resolve(part);
      const empty = new nodeModule(file);
      empty.loaded = true;
      require.cache[file] = empty;
    }
  }
  const http = require('node:http');
  for (const name of BROWSER_CLASSES) Object.defineProperty(http, name, { value: undefined });
}
