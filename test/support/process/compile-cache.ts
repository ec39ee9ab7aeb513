import { fileURLToPath } from 'node:url';

/** For NODE_COMPILE_CACHE: code compiled by the first process is reused by the others, which saves most of their start-up time. */
export const COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/tests', import.meta.url));
