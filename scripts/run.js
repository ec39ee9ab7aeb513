// node scripts/run.js NAME …: runs scripts/NAME.ts, as npm's commands do. An older Node prints a sentence instead of an error about `.ts`.
import '../src/service/require-node.js';
import { fileURLToPath } from 'node:url';

const [node, , name, ...args] = process.argv;
const file = new URL(`${name}.ts`, import.meta.url);
// As if Node had been called with the file itself.
process.argv = [node, fileURLToPath(file), ...args];
import(file.href);
