import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../process/free-port.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { unprivilegedUser } from './private-postgres.ts';

/** Debian's, if it is installed. */
const PROGRAM = '/usr/sbin/pgbouncer';

export const HAS_PGBOUNCER = existsSync(PROGRAM);

export interface PgBouncer {
  /** The same database, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** PgBouncer in front of a database, on loopback. */
export async function startPgBouncer(
  database: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<PgBouncer> {
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const { hostname, port: serverPort, pathname, username } = new URL(database);
  const port = await freePort();
  const file = join(folder.path, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${serverPort} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    // Every client is let in, as the user in the database's line.
    'auth_type = any',
    `pool_mode = ${mode}`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const child: ChildProcess = spawn(PROGRAM, [file], { ...unprivilegedUser(), stdio: 'ignore' });
  const ended = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  while (child.exitCode === null && !(await answers(port))) await new Promise((resume) => setTimeout(resume, 20));
  return {
    url: Object.assign(new URL(database), { port: String(port) }).href,
    stop: async () => {
      process.off('exit', kill);
      child.kill('SIGKILL');
      await ended;
      folder.remove();
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
