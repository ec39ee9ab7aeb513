import { readFileSync } from 'node:fs';

const { version, commit } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The version that runs, such as `1.1.0`; where it was packed, with the commit: `1.1.0+0a1b2c3d4e5f`. Source: Semantic Versioning. */
export const VERSION: string = commit === undefined ? version : `${version}+${commit}`;
