import { join } from 'node:path';
import { COMPILE_CACHE } from '../../test/support/process/compile-cache.ts';
import type { Step } from './run-steps.ts';

const PACKAGES = 'packages';
export const TESTS = 'tests';

/** A step that runs a file of scripts/; `options` are its parameters in CI. */
const script = (name: string, what: string, file: string, ...options: readonly string[]): Step => ({
  name,
  what,
  command: ['node', 'scripts/run.js', file],
  options,
  cores: 1,
});

/** A step that needs packages of Debian. */
const installed = (...parameters: Parameters<typeof script>): Step => ({ ...script(...parameters), after: [PACKAGES] });

const tool = (name: string, what: string, ...command: readonly [string, ...string[]]): Step => ({
  name,
  what,
  command: ['npx', ...command],
  cores: 1,
});

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
    script(PACKAGES, 'installs the Debian packages that other steps use, as root', 'ci/install-debian-packages'),
    tool('typecheck', 'TypeScript', 'tsc', '--noEmit'),
    tool('lint', 'Biome', 'biome', 'check', '.'),
    tool('unused', 'files, exports and packages that nothing uses', 'knip'),
    script('generated', 'generated files that are out of date', 'generate/run', '--check'),
    script('secrets', 'secrets, databases and personal data in the repository', 'checks/check-secrets'),
    script('dependencies', 'packages with known vulnerabilities', 'checks/check-dependencies'),
    script('sbom', 'writes a software bill of materials (CycloneDX)', 'checks/sbom', join(folder, 'sbom.cdx.json')),
    script(
      'package',
      'makes one file of the last commit that runs without a registry, with SBOM and checksums',
      'ci/package',
      join(folder, 'release'),
    ),
    script('regex', 'regular expressions whose running time grows faster than linearly', 'checks/check-regex'),
    script('openapi', 'linters and generators of clients read /openapi.json', '../test/wire/openapi/run'),
    script(
      'fuzz',
      'mutated requests over all transports to a running process',
      'fuzz/run',
      ...['--count', '3000', '--seed', seed(), '--longest-answer', '10000'],
    ),
    script(
      'one-slot',
      '200 clients of several processes want one slot',
      '../test/nights/one-slot/run',
      '--rounds',
      '2',
    ),
    script('model', 'random histories of clients against a model', '../test/wire/model/run', '--all-codes'),
    {
      ...tool(TESTS, 'all tests, west of UTC in Turkish', 'mocha'),
      // On a shared machine, the time of a test depends on the other load.
      options: ['--no-color', '--timeout', '60000'],
      environment: {
        TZ: 'America/New_York',
        LANG: 'tr_TR.UTF-8',
        LC_ALL: 'tr_TR.UTF-8',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
      },
      cores: 2,
      after: [PACKAGES],
    },
    {
      ...installed(
        'postgres',
        'the suites that depend on the database, on PostgreSQL, in the hospital’s time zone',
        '../test/databases/postgres/run',
      ),
      environment: { TZ: 'Asia/Kolkata' },
    },
    installed('interop', 'SOAP clients in eight languages, or those that are named', '../test/clients/interop/run'),
    installed('browser', 'the pages in Debian’s Chromium and Firefox', '../test/clients/browser/run'),
    installed('windows', 'the service with Node for Windows under Wine', '../test/nights/windows/run'),
    installed(
      'durability',
      'kills, stops, outages and rolling restarts under load, on SQLite',
      '../test/databases/durability/run',
      ...DURABILITY,
    ),
    installed(
      'durability-postgres',
      'the same as durability, on PostgreSQL',
      '../test/databases/durability/run',
      ...['--database', 'postgres', ...DURABILITY],
    ),
    {
      ...installed(
        'patroni',
        'the leader of a cluster of Patroni dies, stands still and is cut off',
        '../test/databases/patroni/run',
      ),
      cores: 0.5,
    },
    installed(
      'sms',
      'text messages through Kannel to an SMS center, while the service is killed',
      '../test/unit/messages/run',
      ...['--messages', '200', '--kills', '5'],
    ),
    installed(
      'alarms',
      'each alert in deploy/prometheus fires when it should, and only then; nights in which a gateway fails',
      '../test/nights/alarms/run',
    ),
    {
      ...installed('runbook', 'the runbook, entry by entry, with each fault caused', '../test/nights/runbook/run'),
      cores: 0.5,
    },
    {
      ...installed(
        'packaging',
        'the files in deploy, the steps of the Dockerfile, the plan for moving, and the way back',
        '../test/clients/packaging/run',
      ),
      cores: 0.5,
    },
    installed(
      'xml',
      'mutated messages, read by our reader and by libxml2',
      'fuzz/differential-xml',
      ...['--count', '5000', '--seed', seed()],
    ),
    {
      name: 'smoke',
      what: 'starts the service as the README says, and books',
      command: ['.ci/smoke'],
      cores: 1,
      after: [PACKAGES],
    },
    {
      ...tool('coverage', 'all tests, with the lines of src that none of them runs', 'c8', '--include', 'src/**'),
      options: ['--reporter', 'text', 'mocha', '--timeout', '60000'],
      isOnRequest: true,
    },
    {
      ...script('rehearsal', 'mutated requests, directly and through a rehearsal', '../test/nights/rehearsal/run'),
      isOnRequest: true,
    },
  ];
};
