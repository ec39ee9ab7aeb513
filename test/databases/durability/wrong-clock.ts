import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fakeTime } from '../../support/process/fake-time.ts';
import { freePort } from '../../support/process/free-port.ts';
import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import { ServiceUnderTest } from './service-under-test.ts';
import type { Setting } from './setting.ts';
import { comparison } from './stored-bookings.ts';

const COMMAND = fileURLToPath(new URL('../../../src/tpws.js', import.meta.url));
const ENOUGH = 100;
const KEPT = { APPOINTMENT_RETENTION_DAYS: '30', AUDIT_RETENTION_DAYS: '365' };

/**
 * A service starts, and `tpws retention` runs, by a clock that is some days ahead of every booking: nothing is deleted. With SQLite, that clock
 * counts, so both say how far it is ahead; PostgreSQL's own clock is right, and counts. `library` is libfaketime.
 */
export async function wrongClock(
  { service, clients, bookings, database }: Setting,
  folder: string,
  settings: Readonly<Record<string, string>>,
  library: string,
  days: number,
): Promise<Figure> {
  await service.start();
  const load = new BookingLoad(service.port, clients, bookings);
  try {
    await load.acknowledged(ENOUGH);
  } finally {
    await load.stop();
    await service.stop();
  }
  const env = { ...settings, ...KEPT, ...fakeTime(library, days * 86_400) };
  const late = new ServiceUnderTest(folder, await freePort(), env);
  await late.start();
  const { PATH } = process.env;
  const retention = spawnSync(process.execPath, [COMMAND, 'retention'], {
    cwd: folder,
    env: { ...env, PATH, TZ: 'UTC' },
    encoding: 'utf8',
  });
  const said = [late.output, retention.stderr].filter((text) => text.includes(`${days} days ahead of the last thing`));
  await late.stop();
  const { acknowledged, wrong } = load.counts;
  const { figures, ok } = await comparison(database, acknowledged, wrong);
  const isOwn = database.kind === 'sqlite';
  return {
    what: `a start and tpws retention by a clock ${days} days ahead`,
    figures: { ...figures, warnings: said.length, 'exit code': String(retention.status) },
    ok: ok && said.length === (isOwn ? 2 : 0) && retention.status === (isOwn ? 1 : 0),
  };
}
