import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { DEBIAN_PACKAGES } from '../../support/debian-packages.ts';
import { MOCHA } from '../../support/mocha.ts';
import { EXECUTABLES, SCREENSHOTS } from './browser-files.ts';

/** Runs the suites of this folder in Debian's Chromium and Firefox, which it installs if one is missing; that needs root. */
function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (!Object.values(EXECUTABLES).every((path) => existsSync(path))) {
  run('apt-get', ['update', '-q']);
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...DEBIAN_PACKAGES.browser]);
}
rmSync(SCREENSHOTS, { recursive: true, force: true });
mkdirSync(SCREENSHOTS, { recursive: true });
run(process.execPath, [...MOCHA, '--timeout', '60000', 'test/clients/browser/*.suite.ts']);
