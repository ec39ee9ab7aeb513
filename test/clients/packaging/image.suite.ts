import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { root } from '../../house/source-files.ts';
import { newIssuer } from '../../support/http/test-certificates.ts';
import { freePort } from '../../support/process/free-port.ts';
import { startReady } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { commandOf, readDockerfile } from './dockerfile.ts';

/** Stands in for the image's user `node`: a user who owns nothing. */
const NOBODY = { uid: 65534, gid: 65534 };

/** Does what an engine does with the Dockerfile, in a folder that represents the image's root. */
function buildIn(image: string): { workdir: string; environment: Record<string, string>; command: readonly string[] } {
  const environment: Record<string, string> = {};
  let workdir = image;
  mkdirSync(join(image, 'usr/local/bin'), { recursive: true });
  let command: readonly string[] = [];
  // Paths of the image are below the folder, and its user is nobody.
  const inImage = (text: string) =>
    text
      .replace(/(?<![\w.])\/(app|data|usr\/local)\b/g, `${image}/$1`)
      .replace('node:node', `${NOBODY.uid}:${NOBODY.gid}`)
      .replace('node:root', `${NOBODY.uid}:0`)
      .replace('--reuid=node --regid=node', `--reuid=${NOBODY.uid} --regid=${NOBODY.gid}`);
  for (const { name, argument } of readDockerfile(new URL('Dockerfile', root))) {
    if (name === 'WORKDIR') {
      workdir = inImage(argument);
      mkdirSync(workdir, { recursive: true });
    } else if (name === 'COPY') {
      const words = argument.split(/\s+/);
      for (const source of words.slice(0, -1)) {
        const target = words.at(-1) === './' ? join(workdir, basename(source)) : join(workdir, words.at(-1) ?? '');
        cpSync(fileURLToPath(new URL(source, root)), target, { recursive: true });
      }
    } else if (name === 'RUN') {
      // Packages in npm's cache need no registry.
      const env = { ...process.env, npm_config_prefer_offline: 'true' };
      const { status, stderr } = spawnSync('sh', ['-c', inImage(argument)], { cwd: workdir, env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`RUN ${argument}: ${stderr}`);
    } else if (name === 'ENV') {
      const [variable = '', value = ''] = argument.split('=');
      environment[variable] = inImage(value);
    } else if (name === 'CMD') command = commandOf(argument);
  }
  return { workdir, environment, command };
}

/** The image's health check against a service with TLS, and with a separate operations port as in compose.yaml. */
async function expectHealthOverTls(words: readonly string[]): Promise<void> {
  const folder = temporaryFolder();
  const { certFile, keyFile } = newIssuer(folder.path).issue('server');
  const tls = { TLS_CERT: certFile, TLS_KEY: keyFile };
  try {
    for (const more of [{}, { OPERATIONS_PORT: `0.0.0.0:${await freePort()}` }]) {
      const service = await startReady(folder.path, { ...tls, ...more });
      const env = { ...process.env, ...tls, ...more, PORT: String(service.port) };
      const check = promisify(execFile)(process.execPath, words, { env });
      expect(await check.then(() => 'healthy')).to.equal('healthy');
      await service.stop();
    }
  } finally {
    folder.remove();
  }
}

describe('The image', () => {
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  let built: ReturnType<typeof buildIn>;

  before(() => {
    built = buildIn(folder.path);
  });
  after(() => folder.remove());

  it('consists of the files that .dockerignore lets through', () => {
    const allowed = readFileSync(new URL('.dockerignore', root), 'utf8')
      .match(/^!.+$/gm)
      ?.map((line) => line.slice(1));
    const copied = readDockerfile(new URL('Dockerfile', root))
      .filter(({ name }) => name === 'COPY')
      .flatMap(({ argument }) => argument.split(/\s+/).slice(0, -1))
      .map((path) => path.replace('./', ''));
    expect(allowed).to.include.members(copied);
  });

  it('contains no development dependency', () => {
    const tree = spawnSync('npm', ['ls', '--omit=dev', '--all', '--json'], { cwd: built.workdir, encoding: 'utf8' });
    expect(JSON.parse(tree.stdout).problems ?? []).to.deep.equal([]);
    expect(() => statSync(join(built.workdir, 'node_modules/mocha'))).to.throw();
  });

  it('has the program for operators on its path', () => {
    const tpws = join(folder.path, 'usr/local/bin/tpws');
    const { status, stdout } = spawnSync(process.execPath, [tpws, 'import', '--help'], { encoding: 'utf8' });
    expect({ status, usage: stdout.split('\n')[0] }).to.deep.equal({
      status: 0,
      usage: 'Usage: tpws import [options] <files...>',
    });
  });

  it('contains what its user compiled, where only root can write', () => {
    const cache = join(built.workdir, 'node_modules/.cache/tpwebservices');
    const [folder = '', ...others] = readdirSync(cache);
    expect({ folder, others }).to.deep.equal({ folder: `${folder.replace(/-\d+$/, '')}-${NOBODY.uid}`, others: [] });
    // Two per source file: without its types, and compiled.
    expect(readdirSync(join(cache, folder))).to.have.length.above(500);
    expect([cache, join(cache, folder)].map((path) => statSync(path).uid)).to.deep.equal([0, 0]);
  });

  it('lets any user of the group root write to /data, as which OpenShift runs it, but nobody else', () => {
    const writes = (gid: number) =>
      spawnSync('test', ['-w', join(folder.path, 'data')], { uid: 1_000_650_000, gid }).status;
    expect([writes(0), writes(NOBODY.gid)]).to.deep.equal([0, 1]);
  });

  it('runs as a user who can write only to /data, and its health check succeeds', async () => {
    const port = String(await freePort());
    const [program = '', ...rest] = built.command;
    expect(program).to.equal('node');
    const { PATH = '' } = process.env;
    const environment = { PATH, ...built.environment, HOST: '127.0.0.1', PORT: port, DATABASE_CREATE: 'true' };
    const service = spawn(process.execPath, rest, { cwd: built.workdir, env: environment, ...NOBODY });
    let output = '';
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      service.emit('output');
    });
    service.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const closed = once(service, 'close');
    try {
      const late = AbortSignal.timeout(15_000);
      while (!output.includes('"msg":"ready"')) {
        if (service.exitCode !== null) throw new Error(output);
        await once(service, 'output', { signal: late }).catch(() => {
          throw new Error(`it is not ready:\n${output}`);
        });
      }
      const check = readDockerfile(new URL('Dockerfile', root)).find(({ name }) => name === 'HEALTHCHECK');
      const [, ...words] = commandOf(check?.argument ?? '');
      const health = () => spawnSync(process.execPath, words, { env: environment, ...NOBODY }).status;
      expect(health()).to.equal(0);
      await expectHealthOverTls(words);
      expect(statSync(join(folder.path, 'data/tpwebservices.db')).mode & 0o777).to.equal(0o600);
      service.kill('SIGTERM');
      const [code] = await closed;
      expect(code).to.equal(0);
      expect(health()).to.equal(1);
    } finally {
      service.kill('SIGKILL');
    }
  });
});
