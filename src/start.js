// The program's first file, in JavaScript: a first file in TypeScript would load Node's type stripper, 20 MB, before it could enable the
// cache with the code that the last start compiled. `node src/main.ts` does the same without the cache.
// An older Node gets as far as require-node.js, so there is no top-level await here, and no named import that only a newer Node has.
import './service/require-node.js';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

if (process.argv.length > 2) {
  const isHelp = process.argv.includes('--help');
  const out = isHelp ? process.stdout : process.stderr;
  out.write(
    'Usage: node src/start.js\nStarts the service. It takes its settings from the environment: docs/operators/settings.md.\n',
  );
  process.exit(isHelp ? 0 : 2);
}

// The cache is next to the program, not in a folder that others may write to, because its contents are executed. If it can't be written,
// everything is compiled again, unless NODE_COMPILE_CACHE names another folder, which Node itself then uses. Node keeps one folder per user
// and version.
nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tpwebservices', import.meta.url)));
import('./main.ts').then(() => {
  // Not only at exit, so that a service that is killed also leaves the cache for the next start.
  setTimeout(nodeModule.flushCompileCache, 5000).unref();
});
