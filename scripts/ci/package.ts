// npm run ci -- package -- [FOLDER]: makes one file of the last commit that runs on a machine with Node and without a registry, its packages
// included, with the bill of materials and checksums, and proves it: unpacked, it starts, books, and names its version.
// Node strips no types below a folder node_modules, so the file is unpacked, not installed with npm.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What operators need; npm adds package.json, README.md, LICENSE and the packages. */
const FILES = ['src', 'wsdl', 'docs', 'deploy', 'examples', 'demo.env', 'CHANGELOG.md', 'SECURITY.md'];
/** Nothing listens there. */
const NO_REGISTRY = 'http://127.0.0.1:9/';
const COMMIT_DIGITS = 12;

const { positionals } = readArguments('npm run ci -- package --', { allowPositionals: true });
const target = resolve(positionals[0] ?? 'package');

const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-package-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const [made, unpacked, home] = ['made', 'unpacked', 'home'].map((name) => {
  mkdirSync(join(folder, name));
  return join(folder, name);
}) as [string, string, string];

const run = (cwd: string, program: string, ...parameters: readonly string[]): string =>
  execFileSync(program, parameters, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const commit = run(ROOT, 'git', 'rev-parse', `--short=${COMMIT_DIGITS}`, 'HEAD').trim();
const archive = join(folder, 'commit.tar');
run(ROOT, 'git', 'archive', '--output', archive, 'HEAD');
run(made, 'tar', '-xf', archive);
run(made, 'npm', 'ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund');

const file = join(made, 'package.json');
const { devDependencies: _, scripts, ...about } = JSON.parse(readFileSync(file, 'utf8'));
writeFileSync(
  file,
  `${JSON.stringify({ ...about, scripts: { start: scripts.start }, commit, files: FILES, bundleDependencies: true }, undefined, 2)}\n`,
);
const version = `${about.version}+${commit}`;
const [{ filename }] = JSON.parse(run(made, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
const bill = `${about.name}-${about.version}.cdx.json`;
run(ROOT, process.execPath, 'scripts/run.js', 'checks/sbom', join(folder, bill));

run(unpacked, 'tar', '-xzf', join(folder, filename), '--strip-components=1');
await prove();

mkdirSync(target, { recursive: true });
const sums = [filename, bill].map((name) => {
  copyFileSync(join(folder, name), join(target, name));
  return `${createHash('sha256')
    .update(readFileSync(join(target, name)))
    .digest('hex')}  ${name}\n`;
});
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
process.stdout.write(`${join(target, filename)}: ${version}, with ${bill} and SHA256SUMS\n`);

/** Starts the unpacked service and calls every operation, without a registry and with nothing of this checkout. */
async function prove(): Promise<void> {
  const database = { DATABASE_URL: `sqlite:${join(home, 'hospital.db')}`, DATABASE_CREATE: 'true', DEMO_DATA: 'true' };
  const env = { PATH: process.env.PATH, HOME: home, npm_config_registry: NO_REGISTRY, PORT: '0', ...database };
  const tpws = (...parameters: readonly string[]) =>
    execFileSync(process.execPath, [join(unpacked, 'src/tpws.js'), ...parameters], {
      cwd: home,
      env,
      encoding: 'utf8',
    });
  const shown = tpws('--version').trim();
  if (shown !== version) throw new Error(`tpws --version says ${shown}; expected ${version}`);
  const service = spawn(process.execPath, [join(unpacked, 'src/start.js')], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = tpws('smoke', await addressOf(service))
      .trimEnd()
      .split('\n');
    process.stdout.write(`Unpacked, ${version} started: ${lines.at(-1)}\n`);
  } finally {
    service.kill();
  }
}

/** Where the service is, from the line that it writes once it is ready. */
async function addressOf(service: ChildProcess & { readonly stdout: NodeJS.ReadableStream }): Promise<string> {
  for await (const line of createInterface({ input: service.stdout })) {
    const { msg, endpoint } = JSON.parse(line);
    if (msg === 'ready') return endpoint;
  }
  throw new Error('The unpacked service did not start.');
}
