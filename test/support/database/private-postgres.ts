import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { DEBIAN_PACKAGES } from '../debian-packages.ts';
import { freePort } from '../process/free-port.ts';
import { asAdministrator as asAdministratorOf } from './as-administrator.ts';

/** A private PostgreSQL server, which nothing else uses. */
export interface PrivatePostgres {
  /** The postgres:// URL of a database that always exists. */
  readonly url: string;
  readonly version: string;
  /** The folder of the server's programs, such as pgbench. */
  readonly programs: string;
  /** What the server has logged. */
  readonly log: () => string;
  /** Creates a database, empty or as a copy of one without connections; resolves with its URL. */
  readonly createDatabase: (name: string, template?: string) => Promise<string>;
  /** Like `pg_ctl stop -m fast`: running transactions are ended. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** SIGKILL to the server and all its processes at once, as in a power failure. */
  readonly kill: () => Promise<void>;
  /** Ends every connection except its own. */
  readonly cutConnections: () => Promise<void>;
  /** Stops it, and removes all its files. Also happens at the end of this process. */
  readonly dispose: () => Promise<void>;
}

export interface PrivatePostgresSettings {
  /** Waits for the disk at each commit, as in production. False is faster, and as safe while the machine stays up. */
  readonly durable?: boolean;
  /** The folder of the programs of an installed version; by default those of the newest. */
  readonly programs?: string;
}

/** With a user name and a password as in production; the server requires neither on loopback. */
const USER = 'hospital';
const READY_LIMIT = 30_000;

/** Starts one as an unprivileged user, in a new folder and on a free port. As root it installs Debian's package if that is missing. */
export async function startPrivatePostgres({
  durable = true,
  programs = installedPrograms(),
}: PrivatePostgresSettings = {}): Promise<PrivatePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-postgres-'));
  const owner = unprivilegedUser();
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const port = await freePort();
  const version = run(join(programs, 'postgres'), ['--version'], owner);
  const majorVersion = Number(/\d+/.exec(version)?.[0]);
  // A different sort order from that of the bytes: nothing may depend on it.
  const locale = majorVersion >= 15 ? ['--locale-provider=icu', '--icu-locale=en'] : [];
  const choices = ['--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', ...locale];
  run(join(programs, 'initdb'), ['-D', data, '-U', USER, ...choices], owner);

  // Clients that request TLS get it, with a certificate that no authority has signed.
  const certificate = join(folder, 'server.crt');
  const key = join(folder, 'server.key');
  const request = ['req', '-new', '-x509', '-days', '30', '-nodes', '-newkey', 'rsa:2048', '-subj', '/CN=127.0.0.1'];
  run('openssl', [...request, '-addext', 'subjectAltName=IP:127.0.0.1', '-out', certificate, '-keyout', key], owner);

  const settings = {
    ssl: 'on',
    ssl_cert_file: certificate,
    ssl_key_file: key,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '200',
    shared_buffers: '128MB',
    fsync: durable ? 'on' : 'off',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const urlOf = (database: string) => `postgres://${USER}:secret@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | undefined;

  const asAdministrator = <T>(work: (client: pg.Client) => Promise<T>) => asAdministratorOf(urlOf('postgres'), work);

  async function start(): Promise<void> {
    const output = openSync(log, 'a');
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
      cwd: folder,
      ...owner,
      // Ctrl-C is for the parent process, which then stops the server.
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    server = child;
    const deadline = performance.now() + READY_LIMIT;
    for (;;) {
      try {
        return await asAdministrator(async () => {});
      } catch (error) {
        if (child.exitCode !== null || performance.now() > deadline) {
          throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`, { cause: error });
        }
      }
      await new Promise((resume) => setTimeout(resume, 20));
    }
  }

  async function stop(): Promise<void> {
    const child = server;
    server = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    // Fast shutdown. Source: PostgreSQL, "Shutting Down the Server".
    child.kill('SIGINT');
    await ended;
  }

  async function kill(): Promise<void> {
    const child = server;
    if (child?.pid === undefined) return;
    server = undefined;
    const ended = once(child, 'exit');
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').match(/\d+/g) ?? [];
    for (const pid of [child.pid, ...children.map(Number)]) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended in the meantime.
      }
    }
    await ended;
  }

  const removeAll = () => {
    if (server?.kill('SIGQUIT')) untilGone(join(data, 'postmaster.pid'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once('exit', removeAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  await start();
  return {
    url: urlOf('postgres'),
    version,
    programs,
    log: () => readFileSync(log, 'utf8'),
    createDatabase: async (name, template = 'template0') => {
      await asAdministrator((client) => client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`));
      return urlOf(name);
    },
    stop,
    start,
    kill,
    restart: async () => {
      await stop();
      await start();
    },
    cutConnections: async () => {
      const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;
      await asAdministrator((client) => client.query(others));
    },
    dispose: async () => {
      await stop();
      removeAll();
      process.removeListener('exit', removeAll);
    },
  };
}

/** The file disappears when the server ends. At the end of this process nothing can be awaited. */
function untilGone(file: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 500 && existsSync(file); tries++) Atomics.wait(pause, 0, 0, 20);
}

/** The folder of the newest server that Debian's packages have installed. */
function installedPrograms(): string {
  const found = () =>
    globSync('/usr/lib/postgresql/*/bin/initdb')
      .sort((a, b) => versionIn(b) - versionIn(a))[0]
      ?.replace(/\/initdb$/, '');
  const programs = found();
  if (programs !== undefined) return programs;
  if (process.getuid?.() !== 0) throw new Error('PostgreSQL is missing: apt-get install postgresql');
  const environment = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  run('apt-get', ['update', '-q'], environment);
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...DEBIAN_PACKAGES.postgres], environment);
  const installed = found();
  if (installed === undefined) throw new Error('Debian installed PostgreSQL to another place than /usr/lib/postgresql');
  return installed;
}

const versionIn = (path: string): number => Number(/\d+/.exec(path)?.[0]);

/** PostgreSQL refuses to run as root; Debian's package has a user for it. */
export function unprivilegedUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(run('id', [option, 'postgres']));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function run(program: string, parameters: readonly string[], options: object = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, {
    cwd: '/',
    encoding: 'utf8',
    maxBuffer: 1e8,
    ...options,
  });
  if (status === 0) return stdout.trim();
  throw new Error(`${program} ${parameters.join(' ')}: ${error?.message ?? ''}\n${stdout}${stderr}`);
}
