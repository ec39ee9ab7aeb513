import { join } from 'node:path';
import type { Step } from './step.ts';

const npm = (script: string, ...parameters: readonly string[]): Step['command'] => [
  'npm',
  'run',
  '--silent',
  script,
  ...(parameters.length > 0 ? ['--', ...parameters] : []),
];

const PACKAGES = 'Debian packages';
export const TESTS = 'tests, with coverage, west of UTC in Turkish';

const durability = (database: string): Step['command'] =>
  npm('test:durability', '--database', database, '--rounds', '5', '--stops', '5', '--longest-start', '10000');

/**
 * What a change must pass, in the order in which it starts. The host's location must not matter: the tests run where the date differs from
 * the hospital's, in a language whose i and I pair up with other letters, and the suites on PostgreSQL in the hospital's time zone.
 * Steps that need no Debian package come first, while those packages are installed. The tests have the machine to themselves, because some of
 * them are about load. Then the longest start first, so that no long one is left over at the end. Output that nobody reads goes to `folder`.
 */
export const ciSteps = (random: () => number, folder: string): readonly Step[] => {
  const seed = () => String(Math.floor(random() * 2 ** 30));
  return [
    { name: PACKAGES, command: ['node', 'scripts/run.js', 'install-debian-packages'], cores: 1 },
    { name: 'node', command: ['node', '--version'], cores: 0.5 },
    { name: 'typecheck', command: npm('typecheck'), cores: 1 },
    { name: 'lint', command: npm('lint'), cores: 1 },
    { name: 'unused exports', command: npm('check:unused'), cores: 1 },
    { name: 'generated types', command: npm('generate', '--check'), cores: 1 },
    { name: 'secrets', command: npm('check:secrets'), cores: 1 },
    { name: 'dependencies', command: npm('check:dependencies'), cores: 0.5 },
    { name: 'bill of materials', command: npm('sbom', join(folder, 'sbom.cdx.json')), cores: 1 },
    { name: 'regular expressions', command: npm('check:regex'), cores: 1 },
    {
      name: 'fuzz',
      command: npm('fuzz', '--count', '3000', '--seed', seed(), '--longest-answer', '10000'),
      cores: 1,
    },
    { name: 'one slot, SQLite', command: npm('test:one-slot', '--rounds', '2'), cores: 1 },
    { name: 'durability, SQLite', command: durability('sqlite'), cores: 1 },
    {
      name: TESTS,
      command: [
        'npx',
        'c8',
        '--include',
        'src/**',
        '--reporter',
        'text-summary',
        'npm',
        'run',
        '--silent',
        'test:all',
        '--',
        '--no-color',
        // On a shared machine, the time of a test depends on the other load.
        '--timeout',
        '60000',
      ],
      environment: { TZ: 'America/New_York', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      cores: 2,
      after: [PACKAGES],
    },
    {
      name: 'PostgreSQL, in the hospital’s time zone',
      command: npm('test:postgres'),
      environment: { TZ: 'Asia/Kolkata' },
      cores: 1,
      after: [PACKAGES],
    },
    { name: 'foreign clients', command: npm('test:interop'), cores: 1, after: [PACKAGES] },
    { name: 'browser', command: npm('test:browser'), cores: 1, after: [PACKAGES] },
    { name: 'Windows', command: npm('test:windows', '--short'), cores: 1, after: [PACKAGES] },
    { name: 'durability, PostgreSQL', command: durability('postgres'), cores: 1, after: [PACKAGES] },
    {
      name: 'text messages',
      command: npm('test:sms', '--messages', '200', '--kills', '5'),
      cores: 1,
      after: [PACKAGES],
    },
    { name: 'alarms', command: npm('test:alarms'), cores: 1, after: [PACKAGES] },
    { name: 'packaging', command: npm('test:packaging'), cores: 1, after: [PACKAGES] },
    {
      name: 'differential XML',
      command: ['node', 'scripts/differential-xml.ts', '--count', '5000', '--seed', seed()],
      cores: 1,
      after: [PACKAGES],
    },
    { name: 'smoke', command: ['.ci/smoke'], cores: 1, after: [PACKAGES] },
  ];
};
