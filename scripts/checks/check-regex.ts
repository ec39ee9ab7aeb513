// Looks for regular expressions in src/ whose time grows faster than the text they are applied to, so that a caller could keep the service busy
// with a long one. Prints where each is, with a text that demonstrates it; exits 1 if there is one.
import { globSync, readFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import { findPatterns } from './find-patterns.ts';
import { CONSTRUCTED, NO_CALLERS_TEXT } from './no-callers-text.ts';

/** How long one expression is examined, in milliseconds. */
const PATIENCE = 30_000;
const root = new URL('../../', import.meta.url);

/** What is wrong with an expression, in a few words; undefined if its time is linear. */
export function superlinear(source: string, flags: string): string | undefined {
  const found = checkSync(source, flags, { timeout: PATIENCE });
  if (found.status === 'safe') return undefined;
  return found.status === 'vulnerable'
    ? `${found.complexity.summary}: ${found.attack.pattern.slice(0, 100)}`
    : `not known (${found.error.kind})`;
}

export function mistakes(): readonly string[] {
  const excused = new Set(NO_CALLERS_TEXT);
  const constructing = new Set(Object.keys(CONSTRUCTED));
  const known = new Map<string, string | undefined>();
  const lines: string[] = [];
  for (const path of globSync('src/**/*.{ts,js}', { cwd: root }).sort()) {
    const { literals, constructed } = findPatterns(path, readFileSync(new URL(path, root), 'utf8'));
    for (const { line, source, flags } of literals) {
      const key = `/${source}/${flags}`;
      if (!known.has(key)) known.set(key, superlinear(source, flags));
      const problem = known.get(key);
      if (problem === undefined) continue;
      const excuse = NO_CALLERS_TEXT.find((one) => one.path === path && one.source === source);
      if (excuse === undefined) lines.push(`${path}:${line}: ${key}: ${problem}`);
      else excused.delete(excuse);
    }
    if (constructed.length > 0 && !constructing.delete(path)) {
      lines.push(
        `${path}:${constructed[0]}: put together as it runs; say of what in scripts/checks/no-callers-text.ts`,
      );
    }
  }
  for (const { path, source } of excused) lines.push(`${path}: excused, but not found: ${source}`);
  for (const path of constructing) lines.push(`${path}: puts no expression together, but is listed`);
  return lines;
}

if (process.argv[1] === import.meta.filename) {
  const found = mistakes();
  for (const line of found) process.stdout.write(`${line}\n`);
  process.stdout.write(`${found.length} regular expressions of more than linear time\n`);
  if (found.length > 0) process.exitCode = 1;
}
