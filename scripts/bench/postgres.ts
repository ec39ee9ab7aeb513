/**
 * Bookings per second on PostgreSQL with `synchronous_commit=on`, by the whole service over HTTP and by pgbench with the same
 * statements, alternating on one server: `npm run bench -- postgres [--rounds 3] [--seconds 5] [--clients 10]`. Only their ratio is
 * meaningful.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/settings/config.ts';
import { openStore } from '../../src/store/open-store.ts';
import { installPackages } from '../../test/clients/interop/install-packages.ts';
import { startPrivatePostgres } from '../../test/support/database/private-postgres.ts';
import { startReady } from '../../test/support/process/service-process.ts';
import { temporaryFolder } from '../../test/support/process/temporary-folder.ts';
import { readNumbers } from '../ci/read-arguments.ts';
import { requestFile } from './bench-requests.ts';
import { bookingScript } from './booking-statements.ts';
import { firstDay, runWrk } from './run-wrk.ts';

const values = readNumbers('npm run bench -- postgres', { rounds: 3, seconds: 5, clients: 10, connections: 32 });

await installPackages(['wrk']);
const folder = temporaryFolder();
const postgres = await startPrivatePostgres({ durable: true });
try {
  const serviceUrl = await postgres.createDatabase('service');
  const pgbenchUrl = await postgres.createDatabase('pgbench');
  const store = await openStore(readConfig({ DATABASE_URL: pgbenchUrl }).database);
  const script = join(folder.path, 'booking.sql');
  const day = new Date(firstDay() * 1000).toISOString().slice(0, 10);
  writeFileSync(script, await bookingScript(store, day, values.clients));
  await store.close();
  const request = requestFile(folder.path, 'Fetch_Details', 'SOAP 1.1');
  const settings = {
    DATABASE_URL: serviceUrl,
    DATABASE_POOL_SIZE: `${values.clients}`,
    LOG_LEVEL: 'info',
    RATE_LIMIT: '0',
  };
  const service = await startReady(folder.path, settings);
  let booked = 0;
  let begun = 0;

  async function byService(seconds: number): Promise<number> {
    const result = await runWrk({
      port: service.port,
      connections: values.connections,
      seconds: seconds,
      file: request,
      bookings: booked,
      spread: 'doctors',
    });
    if (result.errors > 0) console.log(`  ${result.errors} errors`);
    booked += result.requests + 1000;
    console.log(`  service: p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`);
    return (result.requests - result.errors) / result.seconds;
  }

  function byPgbench(seconds: number): number {
    const load = `-n -M prepared -c ${values.clients} -j 1 -T ${seconds} -D n=${begun}`.split(' ');
    // The service does not request TLS either.
    const parameters = [...load, '-f', script, `${pgbenchUrl}?sslmode=disable`];
    const output = execFileSync(join(postgres.programs, 'pgbench'), parameters, { encoding: 'utf8' });
    const done = Number(/^number of transactions actually processed: (\d+)/m.exec(output)?.[1]);
    begun += done;
    return Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  }

  try {
    await byService(3);
    byPgbench(3);
    const ratios: number[] = [];
    for (let round = 0; round < values.rounds; round++) {
      const [ours, theirs] = [await byService(values.seconds), byPgbench(values.seconds)];
      ratios.push(ours / theirs);
      console.log(
        `${ours.toFixed(0)} bookings a second by the service, ${theirs.toFixed(0)} by pgbench: ${(ours / theirs).toFixed(2)} ×`,
      );
    }
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN;
    console.log(`${postgres.version}, ${values.clients} connections: ${median.toFixed(2)} × pgbench (median)`);
  } finally {
    await service.stop();
  }
} finally {
  await postgres.dispose();
  folder.remove();
}
