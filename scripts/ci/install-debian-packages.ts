/** Installs all Debian packages that any of the tests uses, at once: `node scripts/run.js ci/install-debian-packages`, as root. */
import { ACCESS_CLIENTS } from '../../test/clients/interop/access-clients.ts';
import { FOREIGN_CLIENTS } from '../../test/clients/interop/foreign-clients.ts';
import { installPackages } from '../../test/clients/interop/install-packages.ts';
import { DEBIAN_PACKAGES } from '../../test/support/debian-packages.ts';

const needed: readonly string[] = Object.values(DEBIAN_PACKAGES).flat();
/** A foreign client that cannot be installed is left out, with a message. */
const wished = [...FOREIGN_CLIENTS, ...ACCESS_CLIENTS].flatMap(({ packages }) => packages);

const failures = await installPackages([...needed, ...wished]);
for (const [name, reason] of failures) console.log(`${name} cannot be installed: ${reason}`);
if (needed.some((name) => failures.has(name))) process.exitCode = 1;
