import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../house/source-files.ts';
import { newIssuer } from '../../support/http/test-certificates.ts';

const NGINX = '/usr/sbin/nginx';

export const HAS_NGINX = existsSync(NGINX);

export interface RunningNginx {
  /** The PEM of the certificate by which a client trusts it. */
  readonly certificate: string;
  /** Everything that it has logged, once it has logged `count` matches of `expected`: it logs a request after it has answered it. */
  logs(expected: RegExp, count: number): Promise<string>;
  stop(): Promise<void>;
}

interface NginxOptions {
  /** Changes of the locations. */
  readonly edit?: (locations: string) => string;
  /** Which of the supplied configurations; that of compose.yaml has no TLS. */
  readonly deployment?: 'systemd' | 'compose';
}

/** The socket of the site without TLS, in place of port 80. */
export const plainSocket = (folder: string): string => join(folder, 'plain.sock');

/** nginx with a configuration in deploy, except for its ports, paths and name. */
export async function startNginx(
  folder: string,
  port: number,
  replicas: readonly number[],
  { edit = (locations) => locations, deployment = 'systemd' }: NginxOptions = {},
): Promise<RunningNginx> {
  mkdirSync(join(folder, 'temp'), { recursive: true });
  const issuer = newIssuer(folder, `nginx-${port}`);
  const { certFile, keyFile } = issuer.issue('localhost');
  const site = deployment === 'systemd' ? 'deploy/nginx/tpwebservices.conf' : 'deploy/compose/nginx.conf';
  const example = readFileSync(new URL(site, root), 'utf8')
    .replace(/127\.0\.0\.1:8081|replica-1:8080/, `127.0.0.1:${replicas[0]}`)
    .replace(/127\.0\.0\.1:8082|replica-2:8080/, `127.0.0.1:${replicas[1]}`)
    .replace(/listen (?:443|8080)/, `listen 127.0.0.1:${port}`)
    .replace('listen 80;', `listen unix:${plainSocket(folder)};`)
    .replaceAll('his.example.org', 'localhost')
    .replace('/etc/tpwebservices/tls/certificate.pem', certFile)
    .replace('/etc/tpwebservices/tls/key.pem', keyFile)
    .replace('include /etc/nginx/', `include ${folder}/`);
  const locations = edit(readFileSync(new URL('deploy/nginx/tpwebservices-locations.conf', root), 'utf8'));
  writeFileSync(join(folder, 'tpwebservices-locations.conf'), locations.replaceAll('/var/log/nginx/', `${folder}/`));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (n) => `${n}_temp_path ${folder}/temp/${n};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
events { worker_connections 512; }
http { ${temporary.join(' ')}
include ${fileURLToPath(new URL('deploy/nginx/tpwebservices-log.conf', root))};
${example}}`,
  );
  execFileSync(NGINX, ['-t', '-q', '-p', folder, '-c', file]);
  const child = spawn(NGINX, ['-p', folder, '-c', file], { stdio: 'ignore' });
  await reachable(port);
  return {
    certificate: issuer.cert,
    logs: (expected, count) => logsWith(folder, new RegExp(expected, 'g'), count),
    stop: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

async function logsWith(folder: string, expected: RegExp, count: number): Promise<string> {
  const late = AbortSignal.timeout(10_000);
  for (;;) {
    const logs = ['access.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    const found = logs.match(expected)?.length ?? 0;
    if (found >= count) return logs;
    if (late.aborted) throw new Error(`nginx logged ${found} matches of ${expected} instead of ${count}:\n${logs}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

async function reachable(port: number): Promise<void> {
  const late = AbortSignal.timeout(10_000);
  while (!late.aborted) {
    const socket = connect(port, '127.0.0.1');
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (open) return;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  throw new Error(`nothing listens on ${port}`);
}
