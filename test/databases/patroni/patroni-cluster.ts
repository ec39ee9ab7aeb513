import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unprivilegedUser } from '../../support/database/private-postgres.ts';
import { freePort } from '../../support/process/free-port.ts';
import { type TcpWay, tcpWay } from '../../support/process/tcp-way.ts';

const LIMIT_MS = 90_000;
const USER = 'hospital';

/** What the guide in docs/operators/high-availability.md says, but for the shorter times. Seconds. */
const DYNAMIC = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  maximum_lag_on_failover: 1_048_576,
  synchronous_mode: true,
  postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, synchronous_commit: 'on' } },
};

/** One machine: Patroni with its PostgreSQL, and what leads from it to etcd, and from the other one to it. */
class PatroniNode {
  readonly port: number;
  readonly #rest: number;
  readonly #data: string;
  readonly #start: () => ChildProcess;
  /** Each with the port to which it leads. */
  readonly #ways: readonly (readonly [TcpWay, number])[];
  #patroni: ChildProcess | undefined;

  private constructor(
    port: number,
    rest: number,
    data: string,
    ways: readonly (readonly [TcpWay, number])[],
    start: () => ChildProcess,
  ) {
    this.port = port;
    this.#rest = rest;
    this.#data = data;
    this.#ways = ways;
    this.#start = start;
  }

  static async create(folder: string, name: string, etcd: number, start: (...command: string[]) => ChildProcess) {
    const [port, rest] = [await freePort(), await freePort()];
    const ways = await Promise.all([etcd, port, rest].map(async (to) => [await tcpWay(to), to] as const));
    const [toEtcd, toPostgres, toRest] = ways.map(([way]) => `127.0.0.1:${way.port}`);
    const password = 'secret';
    const settings = {
      scope: 'hospital',
      name,
      restapi: { listen: `127.0.0.1:${rest}`, connect_address: toRest },
      // By etcd's second interface: by the third, Patroni before 3.0.3 takes the leader's key back from another server after it stood still, and
      // what that one acknowledged is lost. With `use_proxies`, it does not ask etcd for its addresses, and take the direct way.
      etcd: { hosts: [toEtcd], use_proxies: true },
      bootstrap: { dcs: DYNAMIC, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'] },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: toPostgres,
        data_dir: join(folder, name),
        pgpass: join(folder, `${name}.pgpass`),
        bin_dir: dirname(globSync('/usr/lib/postgresql/*/bin/initdb').sort().at(-1) ?? ''),
        authentication: {
          superuser: { username: USER, password },
          replication: { username: 'replicator', password },
          rewind: { username: USER, password },
        },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        parameters: { unix_socket_directories: folder },
      },
    };
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(settings));
    return new PatroniNode(port, rest, join(folder, name), ways, () => start('patroni', file));
  }

  get url(): string {
    return `postgres://${USER}:secret@127.0.0.1:${this.port}/postgres`;
  }

  start(): void {
    this.#patroni = this.#start();
  }

  /** Patroni, the server and its processes. */
  #signal(signal: NodeJS.Signals): void {
    const server = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').match(/\d+/g) ?? [];
    for (const pid of [this.#patroni?.pid ?? 0, server, ...children.map(Number)]) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended in the meantime.
      }
    }
  }

  /** The machine loses its power, and gets it back. */
  kill = () => this.#signal('SIGKILL');
  /** The machine stands still, and goes on. */
  pause = () => this.#signal('SIGSTOP');
  resume = () => this.#signal('SIGCONT');

  /** Neither etcd nor the other server is reached from here, or reaches it; callers of the database do. */
  cutOff = () => {
    for (const [way] of this.#ways) {
      way.leadTo(1);
      way.cut();
    }
  };
  join = () => {
    for (const [way, to] of this.#ways) way.leadTo(to);
  };

  /** Whether Patroni says that it is this: the one that writes, or the one that may take its place. */
  async isNow(what: 'primary' | 'synchronous'): Promise<boolean> {
    const signal = AbortSignal.timeout(1000);
    return fetch(`http://127.0.0.1:${this.#rest}/${what}`, { signal }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  async dispose(): Promise<void> {
    const ended = this.#patroni?.exitCode === null ? once(this.#patroni, 'exit') : undefined;
    try {
      this.#signal('SIGKILL');
    } catch {
      this.#patroni?.kill('SIGKILL');
    }
    await ended;
    for (const [way] of this.#ways) way.close();
  }
}

async function etcdAnswers(address: string): Promise<void> {
  for (const late = AbortSignal.timeout(LIMIT_MS); !late.aborted; ) {
    const answer = await fetch(`${address}/health`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error('etcd does not answer');
}

/** Two servers under Patroni, in synchronous mode, and etcd, which is one process here and three on machines. */
export class PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  readonly #etcd: ChildProcess;
  readonly #folder: string;

  private constructor(nodes: readonly PatroniNode[], etcd: ChildProcess, folder: string) {
    this.nodes = nodes;
    this.#etcd = etcd;
    this.#folder = folder;
  }

  static async start(): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-patroni-'));
    const owner = unprivilegedUser();
    const own = (path: string) => {
      if (owner.uid !== undefined && owner.gid !== undefined) chownSync(path, owner.uid, owner.gid);
    };
    own(folder);
    const log = openSync(join(folder, 'log'), 'a');
    const start = (program = '', ...parameters: string[]) =>
      spawn(program, parameters, { cwd: folder, ...owner, detached: true, stdio: ['ignore', log, log] });
    const [clients, peers] = [await freePort(), `http://127.0.0.1:${await freePort()}`];
    const address = `http://127.0.0.1:${clients}`;
    mkdirSync(join(folder, 'etcd'), { mode: 0o700 });
    own(join(folder, 'etcd'));
    const etcd = start(
      ...[
        'etcd',
        '--enable-v2',
        '--data-dir',
        join(folder, 'etcd'),
        '--listen-client-urls',
        address,
        '--advertise-client-urls',
        address,
      ],
      ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
    );
    const nodes = [
      await PatroniNode.create(folder, 'db1', clients, start),
      await PatroniNode.create(folder, 'db2', clients, start),
    ];
    const cluster = new PatroniCluster(nodes, etcd, folder);
    try {
      await etcdAnswers(address);
      for (const node of nodes) node.start();
      await cluster.leader();
      return cluster;
    } catch (error) {
      const text = readFileSync(join(folder, 'log'), 'utf8').slice(-20_000);
      await cluster.dispose();
      throw new Error(`Patroni did not start:\n${text}`, { cause: error });
    }
  }

  /** The primary, once it has a synchronous standby. */
  async leader(): Promise<PatroniNode> {
    for (const late = AbortSignal.timeout(LIMIT_MS); !late.aborted; ) {
      const are = (what: 'primary' | 'synchronous') => Promise.all(this.nodes.map((node) => node.isNow(what)));
      const [primaries, standbys] = await Promise.all([are('primary'), are('synchronous')]);
      const leader = this.nodes[primaries.indexOf(true)];
      if (leader !== undefined && standbys.includes(true)) return leader;
      await new Promise((resume) => setTimeout(resume, 200));
    }
    throw new Error('no server has become the primary of a synchronous standby');
  }

  async dispose(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.dispose()));
    const ended = once(this.#etcd, 'exit');
    this.#etcd.kill('SIGKILL');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
