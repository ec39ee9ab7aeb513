/**
 * The suites whose results depend on the database, on a PostgreSQL server of their own: `npm run ci -- postgres -- [--operations N]`.
 * Installs Debian's PostgreSQL, PgBouncer and HAProxy if they are missing (as root), and removes the server at the end, however the run ends.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readArguments } from '../../scripts/read-arguments.ts';
import { installPackages } from '../interop/install-packages.ts';
import { startPrivatePostgres } from '../support/database/private-postgres.ts';
import { DEBIAN_PACKAGES } from '../support/debian-packages.ts';

const { values } = readArguments('npm run ci -- postgres --', {
  options: { operations: { type: 'string', default: '2000' } },
});

const node = (...parameters: readonly string[]) => [process.execPath, ...parameters] as const;
const mocha = (...files: readonly string[]) =>
  node(
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--forbid-only',
    '--timeout',
    '30000',
    '--reporter',
    'dot',
    ...files,
  );

const SUITES: readonly (readonly [name: string, ...files: string[]])[] = [
  ['store', 'test/store/postgres/*.test.ts'],
  ['operations', 'test/operations/*.test.ts', 'test/calls/*.test.ts', 'test/reference-data/demo-data.test.ts'],
  [
    'commands',
    ...[
      'import',
      'import-errors',
      'import-beside-service',
      'export',
      'audit',
      'audited-commands',
      'canaries',
      'outbox',
      'patient',
      'copy',
      'import-appointments',
      'import-limits',
      'import-tokens',
      'stored-patient',
      'tampered-schema',
    ].map((name) => `test/commands/${name}.test.ts`),
  ],
  ['transports', 'test/transports/four-transports.test.ts', 'test/log/why-calls-fail.test.ts'],
  ['moving day', 'test/guides/moving-day.test.ts'],
];

for (const [name, reason] of await installPackages([...DEBIAN_PACKAGES.pgbouncer, ...DEBIAN_PACKAGES.haproxy])) {
  console.log(`${name} cannot be installed, its tests are left out: ${reason}`);
}
const postgres = await startPrivatePostgres({ durable: false });
console.log(postgres.version);

/** True if the program exits with 0. */
async function succeeds(name: string, [program, ...parameters]: readonly [string, ...string[]]): Promise<boolean> {
  console.log(`-- ${name}`);
  const began = performance.now();
  const child = spawn(program, parameters, {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: postgres.url },
  });
  const [code] = await once(child, 'exit');
  console.log(`-- ${name}: ${code === 0 ? 'ok' : 'FAILED'}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return code === 0;
}

const failed: string[] = [];
try {
  for (const [name, ...files] of SUITES) {
    if (!(await succeeds(name, mocha(...files)))) failed.push(name);
  }
  for (const services of ['1', '3']) {
    const database = await postgres.createDatabase(`model_${services}`);
    const name = `model, ${services === '1' ? 'one service' : `${services} services`}`;
    const history = ['--operations', values.operations, '--services', services, '--database', database];
    if (!(await succeeds(name, node('test/model/run.ts', ...history)))) failed.push(name);
  }
  for (const processes of ['1', '4']) {
    const database = await postgres.createDatabase(`one_slot_${processes}`);
    const name = `one slot, ${processes === '1' ? 'one process' : `${processes} processes`}`;
    const rush = ['--rounds', '2', '--processes', processes, '--database', database];
    if (!(await succeeds(name, node('test/one-slot/run.ts', ...rush)))) failed.push(name);
  }
} finally {
  await postgres.dispose();
}
console.log(failed.length === 0 ? 'PostgreSQL: all passed' : `PostgreSQL: failed: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
