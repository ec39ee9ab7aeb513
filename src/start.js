// The program's first file, in JavaScript: a first file in TypeScript would load Node's type stripper, 20 MB, before anything could say
// that what the last start compiled lies ready. `node src/main.ts` does the same without that.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Beside the program and not in a folder that others may write to: what lies there is run. Where it can't be written, everything is
// compiled anew.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tpwebservices', import.meta.url)));
await import('./main.ts');
// A service that is killed leaves it to the next start as well.
setTimeout(flushCompileCache, 5000).unref();
