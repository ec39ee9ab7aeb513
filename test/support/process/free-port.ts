import { once } from 'node:events';
import { createServer } from 'node:net';

/** A loopback port that was free a moment ago; rejects if the wanted one was not. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
