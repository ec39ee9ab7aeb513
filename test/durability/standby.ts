import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type PrivatePostgres, unprivilegedUser } from '../support/database/private-postgres.ts';
import { freePort } from '../support/process/free-port.ts';

const LIMIT = 20_000;

/** An address that leads to a server or to its standby, as a host name or a proxy of an operator's does. */
export interface MovingAddress {
  /** The same database by this address. */
  urlOf(url: string): string;
  /** Leads to the standby, which takes no writes; cuts all connections. */
  toStandby(): Promise<void>;
  /** Leads new connections to the server again; cuts none. */
  toServer(): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts a standby of the server, and an address that leads to the server. */
export async function movingAddress({ url, programs }: PrivatePostgres): Promise<MovingAddress> {
  const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-standby-'));
  const owner = unprivilegedUser();
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const serverPort = Number(new URL(url).port);
  const data = join(folder, 'data');
  const copy = ['-d', url, '-D', data, '-R', '-X', 'stream', '-c', 'fast'];
  const copied = spawnSync(join(programs, 'pg_basebackup'), copy, { cwd: folder, ...owner, encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`pg_basebackup: ${copied.stderr}`);
  const standbyPort = await freePort();
  const settings = {
    port: standbyPort,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const standby = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
    cwd: folder,
    ...owner,
    detached: true,
    stdio: 'ignore',
  });
  const stop = () => {
    standby.kill('SIGQUIT');
  };
  process.once('exit', stop);
  await untilReady(standby, standbyPort, url);

  let target = serverPort;
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const onward = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    urlOf: (database) => {
      const moved = new URL(database);
      moved.port = String((proxy.address() as AddressInfo).port);
      return moved.href;
    },
    toStandby: async () => {
      target = standbyPort;
      cut();
    },
    toServer: async () => {
      target = serverPort;
    },
    dispose: async () => {
      cut();
      proxy.close();
      const ended = once(standby, 'exit');
      stop();
      await ended;
      process.removeListener('exit', stop);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function untilReady(standby: ChildProcess, port: number, url: string): Promise<void> {
  const own = new URL(url);
  own.port = String(port);
  for (const late = AbortSignal.timeout(LIMIT); !late.aborted && standby.exitCode === null; ) {
    const client = new pg.Client({ connectionString: own.href });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch {
      await new Promise((resume) => setTimeout(resume, 50));
    }
  }
  throw new Error('the standby did not start');
}
