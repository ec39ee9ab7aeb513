import type { AddressInfo, Server } from 'node:net';
import { SetUpError } from '../vocabulary/errors.ts';

/**
 * Resolves with the port once the server listens; if `port` is 0, the system chooses one. `setting` is where the port came from, such as
 * `PORT=8080`: SetUpError names it if another program has the port. Rejects with the system's error if the address is not available.
 */
export async function listenOn(server: Server, host: string, port: number, setting: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? portTaken(host, setting) : error);
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

const portTaken = (host: string, setting: string): SetUpError =>
  new SetUpError(
    `${setting}: another program listens on this port of ${host}, perhaps another replica; expected a free port.`,
  );
