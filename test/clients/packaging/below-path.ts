import { readFileSync } from 'node:fs';
import { root } from '../../house/source-files.ts';

/** The supplied locations of nginx, with that of docs/operators/installing.md for a path in the place of `/`. */
export function locationFor(locations: string): string {
  const guide = readFileSync(new URL('docs/operators/installing.md', root), 'utf8');
  const location = /^location ~\* [^\n]* \{$/m.exec(guide)?.[0];
  if (location === undefined || !locations.includes('\nlocation / {')) throw new Error('There is no location.');
  return locations.replace('location / {', () => location);
}
