import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { postgresPool } from '../../../../src/store/postgres/postgres-pool.ts';

describe('A connection to PostgreSQL', () => {
  it('begins with nothing that a connection pooler would refuse', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const pool = postgresPool(
      { kind: 'postgres', url: `postgres://u:p@127.0.0.1:${port}/d`, poolSize: 1, timeoutMs: 5000 },
      'on',
    );
    const connected = pool.connect().catch(() => {});
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    await connected;
    await pool.end();
    server.close();
    // Length and version, then names and values. Source: PostgreSQL, "Message Formats", StartupMessage.
    const names = first
      .subarray(8)
      .toString()
      .split('\0')
      .filter((_, index) => index % 2 === 0);
    // Source: PgBouncer, "ignore_startup_parameters".
    expect(names.filter((name) => name !== '')).to.have.members([
      'user',
      'database',
      'client_encoding',
      'application_name',
    ]);
  });
});
