import { spawnSync } from 'node:child_process';
import { installPackages } from '../../clients/interop/install-packages.ts';
import { DEBIAN_PACKAGES } from '../../support/debian-packages.ts';
import { MOCHA } from '../../support/mocha.ts';

/** Tests the alarms with Prometheus's promtool, which it installs if it is missing. */
const failures = await installPackages(DEBIAN_PACKAGES.alarms);
for (const [name, reason] of failures) process.stderr.write(`${name} cannot be installed: ${reason}\n`);
if (failures.size > 0) process.exit(1);
const mocha = [...MOCHA, '--timeout', '120000'];
const { status, error } = spawnSync(process.execPath, [...mocha, 'test/nights/alarms/*.suite.ts'], {
  stdio: 'inherit',
});
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
