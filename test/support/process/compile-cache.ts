import { fileURLToPath } from 'node:url';

/** For NODE_COMPILE_CACHE: what the first process compiled serves the others, which is most of the time that they take to start. */
export const COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/tests', import.meta.url));
