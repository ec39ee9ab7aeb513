import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { root } from './source-files.ts';

/** Excluded by .gitignore, and git's own files. */
const NOT_OURS = /^(?:node_modules|\.toolkits|data|coverage|test-output|\.git)(?:\/|$)|\.log$/;

/** Assembled here, so that this file does not contain them itself. */
const registries = [
  ['registry', 'npmjs', 'org'],
  ['npmjs', 'com'],
  ['yarnpkg', 'com'],
  ['jsr', 'io'],
  ['npm', 'pkg', 'github', 'com'],
];
const FOREIGN: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a path from a workplace', pattern: /(?<![\w.])\/(?:work|home|Users)\/[\w.-]/ },
  { what: 'the host of a package registry', pattern: new RegExp(registries.map((p) => p.join('\\.')).join('|'), 'i') },
  { what: 'the number of an entry in a tracker', pattern: /\b(?:issue|ticket|task|bug|PR|pull request)s?[ /-]?#?\d+/i },
];

const paths = filesBelow('');

function filesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (NOT_OURS.test(path)) return [];
    return entry.isDirectory() ? filesBelow(`${path}/`) : [path];
  });
}

/** A file's lines, without digests, which are not our own text. */
const linesOf = (path: string): string[] =>
  readFileSync(new URL(path, root), 'utf8')
    .replace(/"sha512-[^"]*"/g, '""')
    .split('\n');

describe('The project is self-contained', () => {
  it('with only its own files', () => {
    expect(paths).to.include.members([
      'README.md',
      'package.json',
      'wsdl/TPWebServices.wsdl',
      'src/main.ts',
      '.ci/run',
    ]);
  });

  for (const { what, pattern } of FOREIGN) {
    it(`without ${what}`, () => {
      // The compressed bytes of a picture are not text, and may match by chance.
      const found = paths
        .filter((path) => !path.endsWith('.png'))
        .flatMap((path) => {
          const line = linesOf(path).findIndex((text) => pattern.test(text));
          return line === -1 ? [] : [`${path}:${line + 1}`];
        });
      expect(found).to.deep.equal([]);
    });
  }

  it('with a lock file that names no registry', () => {
    const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
    const packages = Object.entries<{ resolved?: string }>(lock.packages);
    expect(packages).to.have.length.above(100);
    expect(
      packages
        .filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith('tools/'))
        .map(([name]) => name),
    ).to.deep.equal([]);
  });

  it('with packages that run no scripts when they are installed', () => {
    const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
    const scripts = Object.entries<{ hasInstallScript?: boolean }>(lock.packages).filter(
      ([, { hasInstallScript }]) => hasInstallScript,
    );
    expect(scripts.map(([name]) => name)).to.deep.equal([]);
    expect(readFileSync(new URL('.npmrc', root), 'utf8').split('\n')).to.include('ignore-scripts=true');
  });

  it('with its own Node, whose digests are in the lock file', () => {
    const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
    const runtime = JSON.parse(readFileSync(new URL('tools/node-runtime/package.json', root), 'utf8'));
    const binaries = Object.entries(runtime.optionalDependencies);
    expect(binaries).to.have.length.above(3);
    for (const [name, version] of binaries) {
      const locked = lock.packages[`node_modules/${name}`];
      expect(locked, name).to.include({ version, dev: true, optional: true });
      expect(locked.integrity, name).to.match(/^sha512-/);
      expect(version, name).to.equal(runtime.version);
    }
  });

  it('with exact versions', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(?:\d+\.\d+\.\d+(?:-[\w.]+)?|file:tools\/.+)$/.test(String(version)),
    );
    expect(loose).to.deep.equal([]);
  });
});
