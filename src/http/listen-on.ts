import type { AddressInfo, Server } from 'node:net';

/** Resolves with the port when the server listens, which is another one than `port` where that is 0; rejects if the address can't be had. */
export async function listenOn(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
