import { spawnSync } from 'node:child_process';
import { DEBIAN_PACKAGES } from '../../support/debian-packages.ts';
import { MOCHA } from '../../support/mocha.ts';
import { installPackages } from '../interop/install-packages.ts';

/** Runs the suites of this folder, with nginx, systemd's own checks and PostgreSQL, and installs them if they are missing. */
const failures = await installPackages(DEBIAN_PACKAGES.packaging);
for (const [name, reason] of failures) process.stderr.write(`${name} cannot be installed: ${reason}\n`);
if (failures.size > 0) process.exit(1);
const { status, error } = spawnSync(
  process.execPath,
  [...MOCHA, '--timeout', '120000', 'test/clients/packaging/*.suite.ts'],
  {
    stdio: 'inherit',
  },
);
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
