import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { SetUpError } from '../vocabulary/errors.ts';

/**
 * Resolves with the port once the server listens; if `port` is 0, the system chooses one. `setting` is where the port came from, such as
 * `PORT=8080`: SetUpError names it if it cannot listen there. `isShared`: other processes of this user may listen on it, too.
 */
export async function listenOn(server: Server, host: string, port: number, setting: string, isShared = false) {
  server.listen({ host, port, reusePort: isShared });
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTSUP' && isShared) {
      throw new SetUpError(
        'SHARED_PORT=true: this system cannot share ports; expected a port for each process, and a proxy.',
      );
    }
    if (code !== 'EADDRINUSE') {
      throw new SetUpError(
        `${setting}: it cannot listen on ${host} (${code}); expected an address of this machine, and a port from 1024 on, or one that this user may use.`,
      );
    }
    const inUse = `another program listens on this port of ${host}, perhaps another replica`;
    const expected = isShared ? 'all of them to run as one user with SHARED_PORT=true' : 'a free port';
    throw new SetUpError(`${setting}: ${inUse}; expected ${expected}.`);
  }
  return (server.address() as AddressInfo).port;
}
