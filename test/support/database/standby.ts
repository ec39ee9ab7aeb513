import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../process/free-port.ts';
import { tcpWay } from '../process/tcp-way.ts';
import { asAdministrator } from './as-administrator.ts';
import { type PrivatePostgres, unprivilegedUser } from './private-postgres.ts';

const LIMIT = 20_000;

/** A server that follows another one, and may replace it. */
export interface Standby {
  readonly port: number;
  /** Nothing that the server does reaches it any longer. */
  cutOff(): void;
  /** The same, until `back`. */
  away(): void;
  back(): void;
  /** Like `pg_ctl promote`: resolves when it accepts writes. */
  promote(): Promise<void>;
  dispose(): Promise<void>;
}

export interface StandbySettings {
  /** The server acknowledges nothing that is not on the standby's disk. */
  readonly isSynchronous: boolean;
}

/** Copies the server and follows it from then on. */
export async function startStandby(
  { url, programs }: PrivatePostgres,
  { isSynchronous }: StandbySettings,
): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-standby-'));
  const owner = unprivilegedUser();
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const run = async (program: string, ...parameters: readonly string[]) => {
    const child = spawn(join(programs, program), parameters, {
      cwd: folder,
      ...owner,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${program}: ${errors}`);
  };
  const way = await tcpWay(Number(new URL(url).port));
  const source = Object.assign(new URL(url), { port: String(way.port) }).href;
  await run('pg_basebackup', '-d', source, '-D', data, '-R', '-X', 'stream', '-c', 'fast');
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
    wal_retrieve_retry_interval: '200ms',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
    cwd: folder,
    ...owner,
    detached: true,
    stdio: 'ignore',
  });
  const stop = () => {
    server.kill('SIGQUIT');
  };
  process.once('exit', stop);
  const own = Object.assign(new URL(url), { port: String(port) }).href;
  /** Repeats the query until its result is true. */
  const until = async (on: string, question: string) => {
    for (const late = AbortSignal.timeout(LIMIT); !late.aborted && server.exitCode === null; ) {
      const rows = await asAdministrator(on, (client) => client.query(question)).then(
        (result) => result.rows,
        () => [],
      );
      if (rows[0]?.answer === true) return;
      await new Promise((resume) => setTimeout(resume, 50));
    }
    throw new Error(`the standby does not get there: ${question}`);
  };
  await until(own, 'SELECT pg_is_in_recovery() AS answer');
  if (isSynchronous) {
    await asAdministrator(url, async (client) => {
      await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await client.query('SELECT pg_reload_conf()');
    });
    await until(url, "SELECT count(*) = 1 AS answer FROM pg_stat_replication WHERE sync_state = 'sync'");
  }
  return {
    port,
    cutOff: way.close,
    away: () => {
      way.leadTo(1);
      way.cut();
    },
    back: () => way.leadTo(Number(new URL(url).port)),
    promote: async () => {
      await run('pg_ctl', 'promote', '-D', data);
      await until(own, 'SELECT NOT pg_is_in_recovery() AS answer');
    },
    dispose: async () => {
      const ended = server.exitCode === null ? once(server, 'exit') : undefined;
      stop();
      await ended;
      way.close();
      process.removeListener('exit', stop);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
