import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { root, sourceFile, sourceFiles } from './source-files.ts';

const files = sourceFiles();

/** What everything may import. None of it imports anything of the house. */
const FOUNDATION = ['errors.ts', 'result-codes.ts', 'message-status.ts'];

/**
 * By part of the house: what it may import beside itself and the foundation. `type` before a name: its types only.
 * Source: the picture in the README.
 */
const LINES: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': [],
  'result-codes.ts': [],
  'message-status.ts': [],
  'log.ts': [],
  'log-file.ts': [],
  contract: [],
  rules: ['type contract/contract.ts'],
  store: [],
  audit: ['rules', 'type store', 'reference-data'],
  access: ['contract', 'type log.ts'],
  sms: [
    'rules',
    'store/store-keys.ts',
    'type store',
    'reference-data/command-host.ts',
    'type config.ts',
    'type settings/sms-settings.ts',
    'type log.ts',
  ],
  operations: ['type contract', 'rules', 'store', 'type access/client.ts', 'type log.ts'],
  transports: ['type operations', 'rules', 'contract', 'access', 'sms/status-path.ts', 'type sms', 'type log.ts'],
  'config.ts': ['settings'],
  settings: ['rules', 'access/ip-networks.ts', 'type sms/open-gateway.ts', 'type store/open-store.ts'],
  operating: [
    'type operations',
    'store/migrate.ts',
    'store/records/outbox-gauge-records.ts',
    'type store',
    'type contract',
    'transports/every-answer.ts',
    'listen-on.ts',
    'type log.ts',
  ],
  workers: ['config.ts', 'type access/rate-limits.ts', 'type serve.ts', 'type log.ts'],
  backup: ['store/back-up.ts', 'type store', 'config.ts', 'reference-data/command-host.ts', 'type reference-data'],
  doctor: [
    'access/ip-networks.ts',
    'rules/wall-time.ts',
    'store/inspect-database.ts',
    'type store',
    'settings',
    'access/load-clients.ts',
    'contract/read-wsdl.ts',
    'config.ts',
    'start-failure.ts',
    'tls-files.ts',
    'reference-data/command-host.ts',
    'workers/worker-count.ts',
  ],
  'http-server.ts': [
    'listen-on.ts',
    'express-messages.ts',
    'unusual-requests.ts',
    'open-connections.ts',
    'limit-connections.ts',
    'type tls-files.ts',
  ],
  'limit-connections.ts': ['access/ip-networks.ts', 'access/subscriber-network.ts'],
  'listen-on.ts': [],
  'open-connections.ts': [],
  'open-things.ts': [],
  'tls-files.ts': [],
  'express-messages.ts': [],
  'unusual-requests.ts': ['transports'],
  'demo-data.ts': ['type store'],
  'reference-data': ['rules', 'store', 'contract', 'demo-data.ts', 'config.ts', 'start-failure.ts'],
  'start-failure.ts': ['config.ts'],
  'start-message.ts': ['rules', 'type contract'],
  'app.ts': ['transports', 'access/caller.ts', 'type access', 'type operations'],
  'open-service.ts': [
    'access',
    'app.ts',
    'operating',
    'operations',
    'sms',
    'store',
    'contract',
    'demo-data.ts',
    'type config.ts',
    'type log.ts',
    'type transports',
  ],
  'serve.ts': [
    'open-service.ts',
    'open-things.ts',
    'http-server.ts',
    'operating',
    'start-message.ts',
    'settings/is-loopback-host.ts',
    'demo-data.ts',
    'tls-files.ts',
    'access/ip-networks.ts',
    'type access',
    'type config.ts',
    'type limit-connections.ts',
    'type log.ts',
  ],
  'main.ts': ['serve.ts', 'workers', 'start-failure.ts', 'config.ts', 'log.ts', 'log-file.ts', 'transports'],
};

/** By library: the parts of the house that may import it. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['store/sqlite'],
  'body-parser': ['transports'],
  commander: ['reference-data', 'audit', 'backup', 'doctor', 'sms'],
  'csv-parse': ['reference-data'],
  express: ['app.ts', 'open-service.ts', 'http-server.ts', 'express-messages.ts', 'transports'],
  kysely: ['store'],
  'libphonenumber-js': ['rules'],
  pg: ['store/postgres'],
  pino: ['log.ts'],
  'rate-limiter-flexible': ['access'],
  'prom-client': ['operating', 'workers', 'serve.ts'],
  smpp: ['sms/smpp'],
  soap: ['transports/soap'],
  'temporal-polyfill': ['rules'],
  xml2js: ['contract'],
  zod: ['config.ts', 'settings', 'access', 'sms/http'],
};

const partOf = (path: string): string => path.split('/')[0] ?? path;
const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

describe('The directions of imports', () => {
  it('give every part of src/ its line', () => {
    expect(files.map(({ path }) => partOf(path))).to.include.members(Object.keys(LINES));
    expect(Object.keys(LINES)).to.include.members(files.map(({ path }) => partOf(path)));
  });

  for (const [part, allowed] of Object.entries(LINES)) {
    it(`are kept by ${part}`, () => {
      const wrong = files
        .filter(({ path }) => partOf(path) === part)
        .flatMap(({ path, imports }) =>
          imports
            .filter(({ isFile, target, typesOnly }) => {
              if (!isFile || partOf(target) === part || FOUNDATION.includes(target)) return false;
              return !allowed.some((entry) => {
                const isTypes = entry.startsWith('type ');
                return isIn(target, isTypes ? entry.slice(5) : entry) && (!isTypes || typesOnly);
              });
            })
            .map(({ target, typesOnly }) => `${path} imports ${typesOnly ? 'types of ' : ''}${target}`),
        );
      expect(wrong).to.deep.equal([]);
    });
  }

  it('let the foundation import nothing of the house', () => {
    const foundation = files.filter(({ path }) => FOUNDATION.includes(path));
    expect(foundation.flatMap(({ imports }) => imports)).to.deep.equal([]);
  });

  it('keep every library in its place', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter(({ isFile, target }) => !isFile && !target.startsWith('node:'))
        .filter(({ target }) => !(LIBRARIES[target] ?? []).some((place) => isIn(path, place)))
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('leave no dependency of package.json unused', () => {
    const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const used = new Set(files.flatMap(({ imports }) => imports.map(({ target }) => target)));
    // What lies in tools/ is there for the installation, not for the service.
    const unused = Object.entries<string>(dependencies).filter(
      ([name, version]) => !used.has(name) && !version.startsWith('file:tools/'),
    );
    expect(unused).to.deep.equal([]);
  });

  it('keep the rules free of the host: they import nothing of Node', () => {
    const wrong = files.filter(
      ({ path, imports }) => isIn(path, 'rules') && imports.some(({ target }) => target.startsWith('node:')),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('are read from every form of import that the house writes', () => {
    const { imports } = sourceFile(
      'store/a.ts',
      [
        "import { b } from './b.ts';",
        "import type { C } from '../errors.ts';",
        'import {',
        '  d,',
        "} from '@scope/d/deep';",
        "import 'e';",
        "export { f } from './sqlite/f.ts';",
        "const g = await import('g/sub');",
        "// import { h } from 'h';",
        "/** import { i } from 'i'; */",
      ].join('\n'),
    );
    expect(imports.map(({ target, typesOnly }) => `${typesOnly ? 'type ' : ''}${target}`)).to.deep.equal([
      'store/b.ts',
      'type errors.ts',
      '@scope/d',
      'e',
      'store/sqlite/f.ts',
      'g',
    ]);
  });
});
