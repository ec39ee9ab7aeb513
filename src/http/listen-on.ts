import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { SetUpError } from '../vocabulary/errors.ts';

/**
 * Resolves with the port once the server listens; if `port` is 0, the system chooses one. `setting` is where the port came from, such as
 * `PORT=8080`: SetUpError names it if another program has the port. Rejects with the system's error if the address is not available.
 */
export async function listenOn(server: Server, host: string, port: number, setting: string): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const problem = `another program listens on this port of ${host}, perhaps another replica; expected a free port`;
    throw new SetUpError(`${setting}: ${problem}.`);
  }
  return (server.address() as AddressInfo).port;
}
