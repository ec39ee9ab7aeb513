// The program's first file, in JavaScript: a first file in TypeScript would load Node's type stripper, 20 MB, before anything could say
// that what the last start compiled lies ready. `node src/main.ts` does the same without that.
// An older Node gets as far as require-node.js: no top-level await, and no named import that only a newer Node has.
import './process/require-node.js';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { leaveUnloaded } from './process/leave-unloaded.js';
import { resolveRelativeImports } from './process/relative-imports.js';

// Beside the program and not in a folder that others may write to: what lies there is run. Where it can't be written, everything is
// compiled anew, unless NODE_COMPILE_CACHE names another folder, which Node itself then uses. Node keeps a folder per user and version.
nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tpwebservices', import.meta.url)));
leaveUnloaded();
nodeModule.registerHooks({ resolve: resolveRelativeImports() });
import('./main.ts').then(() => {
  // A service that is killed leaves it to the next start as well.
  setTimeout(nodeModule.flushCompileCache, 5000).unref();
});
