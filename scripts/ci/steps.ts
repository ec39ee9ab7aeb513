import { join } from 'node:path';
import type { Step } from './run-steps.ts';

const script = (name: string): Step['command'] => ['node', 'scripts/run.js', name];

const PACKAGES = 'packages';
export const TESTS = 'tests';

const durability = (database: string): readonly string[] => ['--database', database, ...DURABILITY];
const DURABILITY = ['--rounds', '5', '--stops', '5', '--longest-start', '10000'];

/**
 * What a change must pass, in the order in which it starts. The host's location must not matter: the tests run where the date differs from
 * the hospital's, in a language whose i and I pair up with other letters, and the suites on PostgreSQL in the hospital's time zone.
 * Steps that need no Debian package come first, while those packages are installed. The tests have the machine to themselves, because some of
 * them are about load. Then the longest start first, so that no long one is left over at the end. Output that nobody reads goes to `folder`.
 */
export const ciSteps = (random: () => number, folder: string): readonly Step[] => {
  const seed = () => String(Math.floor(random() * 2 ** 30));
  return [
    {
      name: PACKAGES,
      what: 'installs the Debian packages that other steps use, as root',
      command: script('install-debian-packages'),
      cores: 1,
    },
    { name: 'typecheck', what: 'TypeScript', command: ['npx', 'tsc', '--noEmit'], cores: 1 },
    { name: 'lint', what: 'Biome', command: ['npx', 'biome', 'check', '.'], cores: 1 },
    { name: 'unused', what: 'files, exports and packages that nothing uses', command: ['npx', 'knip'], cores: 1 },
    {
      name: 'generated',
      what: 'generated files that are out of date',
      command: script('generate'),
      options: ['--check'],
      cores: 1,
    },
    {
      name: 'secrets',
      what: 'secrets, databases and personal data in the repository',
      command: script('check-secrets'),
      cores: 1,
    },
    {
      name: 'dependencies',
      what: 'packages with known vulnerabilities',
      command: script('check-dependencies'),
      cores: 0.5,
    },
    {
      name: 'sbom',
      what: 'writes a software bill of materials (CycloneDX) to the file that is named',
      command: script('sbom'),
      options: [join(folder, 'sbom.cdx.json')],
      cores: 1,
    },
    {
      name: 'regex',
      what: 'regular expressions whose running time grows faster than linearly',
      command: script('check-regex'),
      cores: 1,
    },
    {
      name: 'fuzz',
      what: 'mutated requests over all transports to a running process',
      command: script('fuzz'),
      options: ['--count', '3000', '--seed', seed(), '--longest-answer', '10000'],
      cores: 1,
    },
    {
      name: 'one-slot',
      what: '200 clients compete for one slot, through several processes on one database',
      command: script('test-one-slot'),
      options: ['--rounds', '2'],
      cores: 1,
    },
    {
      name: 'durability',
      what: 'kills, stops and outages under load, on SQLite unless --database postgres is given',
      command: script('test-durability'),
      options: durability('sqlite'),
      cores: 1,
    },
    {
      name: TESTS,
      what: 'all tests, with their coverage, west of UTC in Turkish',
      command: ['npx', 'c8', '--include', 'src/**', '--reporter', 'text-summary', 'mocha', '--no-color'],
      // On a shared machine, the time of a test depends on the other load.
      options: ['--timeout', '60000'],
      environment: { TZ: 'America/New_York', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      cores: 2,
      after: [PACKAGES],
    },
    {
      name: 'postgres',
      what: 'the suites that depend on the database, on PostgreSQL, in the hospital’s time zone',
      command: script('test-postgres'),
      environment: { TZ: 'Asia/Kolkata' },
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'interop',
      what: 'SOAP clients in eight languages, or those that are named',
      command: script('../test/interop/run'),
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'browser',
      what: 'the pages in Debian’s Chromium',
      command: script('../test/browser/run'),
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'windows',
      what: 'the service with Node for Windows under Wine',
      command: script('../test/windows/run'),
      options: ['--short'],
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'durability-postgres',
      what: 'the same as durability, on PostgreSQL',
      command: script('test-durability'),
      options: durability('postgres'),
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'sms',
      what: 'text messages through Kannel to an SMS center, while the service is killed',
      command: script('../test/sms/run'),
      options: ['--messages', '200', '--kills', '5'],
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'alarms',
      what: 'each alert in deploy/prometheus fires when it should, and only then',
      command: script('../test/alarms/run'),
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'packaging',
      what: 'the files in deploy, and the steps of the Dockerfile',
      command: script('../test/packaging/run'),
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'xml',
      what: 'mutated messages, read by our reader and by two others',
      command: script('differential-xml'),
      options: ['--count', '5000', '--seed', seed()],
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'smoke',
      what: 'starts the service as the README says, and books',
      command: ['.ci/smoke'],
      cores: 1,
      after: [PACKAGES],
    },
    {
      name: 'model',
      what: 'random histories of concurrent clients against a model; part of postgres and tests',
      command: script('test-model'),
      cores: 1,
      isOnRequest: true,
    },
    {
      name: 'rehearsal',
      what: 'mutated requests to an old service, directly and through a rehearsal',
      command: script('test-rehearsal'),
      cores: 1,
      isOnRequest: true,
    },
  ];
};
