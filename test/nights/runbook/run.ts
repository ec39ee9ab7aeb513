/** Follows the runbook entry by entry, with each fault caused: `npm run ci -- runbook`. Installs what is missing, as root. */
import { spawnSync } from 'node:child_process';
import { installPackages } from '../../clients/interop/install-packages.ts';
import { startPrivatePostgres } from '../../support/database/private-postgres.ts';
import { DEBIAN_PACKAGES } from '../../support/debian-packages.ts';
import { MOCHA } from '../../support/mocha.ts';

for (const [name, reason] of await installPackages(DEBIAN_PACKAGES.runbook)) {
  console.log(`${name} cannot be installed: ${reason}`);
}
const postgres = await startPrivatePostgres({ durable: false });
try {
  const { status } = spawnSync(process.execPath, [...MOCHA, '--timeout', '120000', 'test/nights/runbook/*.suite.ts'], {
    stdio: 'inherit',
    env: { ...process.env, RUNBOOK_POSTGRES: postgres.url },
  });
  process.exitCode = status ?? 1;
} finally {
  await postgres.dispose();
}
