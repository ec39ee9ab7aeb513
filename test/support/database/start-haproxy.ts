import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../process/free-port.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { asAdministrator } from './as-administrator.ts';

/** Debian's, if it is installed. */
const PROGRAM = '/usr/sbin/haproxy';
const LIMIT = 20_000;

export const HAS_HAPROXY = existsSync(PROGRAM);

export interface HaProxy {
  /** The same database, on the server that accepts writes. */
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** HAProxy with the configuration in deploy/haproxy, except for its addresses, before a server and its standby. */
export async function startHaProxy(primary: string, standbyPort: number): Promise<HaProxy> {
  const folder = temporaryFolder();
  const port = await freePort();
  const example = readFileSync(new URL('../../../deploy/haproxy/haproxy.cfg', import.meta.url), 'utf8');
  const configuration = example
    .replace('log /dev/log local0', 'log stderr local0')
    .replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${port}`)
    .replace('db1.example.org:5432', `127.0.0.1:${new URL(primary).port}`)
    .replace('db2.example.org:5432', `127.0.0.1:${standbyPort}`);
  const file = join(folder.path, 'haproxy.cfg');
  writeFileSync(file, configuration);
  await asAdministrator(primary, async (client) => void (await client.query('CREATE ROLE haproxy LOGIN')));
  const child = spawn(PROGRAM, ['-f', file], { stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const urlOf = (database: string) => Object.assign(new URL(database), { port: String(port) }).href;
  const proxy = {
    urlOf,
    stop: async () => {
      process.off('exit', kill);
      const ended = child.exitCode === null ? once(child, 'exit') : undefined;
      kill();
      await ended;
      folder.remove();
    },
  };
  // Until its first checks have ended, it also leads to the standby.
  for (const late = AbortSignal.timeout(LIMIT); !late.aborted && child.exitCode === null; ) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => acceptsWrites(urlOf(primary))));
    if (!answers.includes(false)) return proxy;
    await new Promise((resume) => setTimeout(resume, 200));
  }
  await proxy.stop();
  throw new Error('HAProxy does not lead to the primary');
}

const acceptsWrites = (url: string): Promise<boolean> =>
  asAdministrator(url, (client) => client.query('SHOW transaction_read_only')).then(
    ({ rows }) => rows[0]?.transaction_read_only === 'off',
    () => false,
  );
