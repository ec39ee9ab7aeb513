import { statSync } from 'node:fs';
import { platform } from 'node:os';
import { expect } from 'chai';
import { skipTest } from '../skip-test.ts';

const ON_WINDOWS = platform() === 'win32';

/** Skips a test on Windows, and says why. */
export function skipOnWindows(context: Mocha.Context, reason: string): void {
  if (ON_WINDOWS) skipTest(context, `on Windows ${reason}`);
}

/** Expects these permissions of a file or folder; on Windows it prints that there is nothing to compare. */
export function expectMode(path: string, mode: number): void {
  if (ON_WINDOWS) process.stdout.write('    not compared on Windows: it has no file modes\n');
  else expect((statSync(path).mode & 0o777).toString(8), path).to.equal(mode.toString(8));
}
