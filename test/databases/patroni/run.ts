/**
 * Bookings through HAProxy, as shipped, on two PostgreSQL servers under Patroni and etcd: the leader is killed, stands still, and is cut off under
 * load: `npm run ci -- patroni`. Prints how long nothing was booked; exits 1 if something that was acknowledged is lost. Needs Debian's packages.
 */
import { readConfig } from '../../../src/settings/config.ts';
import { installPackages } from '../../clients/interop/install-packages.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { startHaProxy } from '../../support/database/start-haproxy.ts';
import { DEBIAN_PACKAGES } from '../../support/debian-packages.ts';
import { freePort } from '../../support/process/free-port.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { BookingLoad } from '../durability/booking-load.ts';
import { plannedBookings } from '../durability/booking-plan.ts';
import { figureLine } from '../durability/figures.ts';
import { ServiceUnderTest } from '../durability/service-under-test.ts';
import { comparison } from '../durability/stored-bookings.ts';
import { PatroniCluster } from './patroni-cluster.ts';

const CLIENTS = 8;
/** Bookings before each fault and after it. */
const ENOUGH = 100;
const LONGEST_MS = 60_000;
const EVERY_MS = 20;

const FAULTS = [
  ['killed', 'kill', 'start'],
  ['stands still', 'pause', 'resume'],
  ['cut off from etcd and the other server', 'cutOff', 'join'],
] as const;

const failures = await installPackages(DEBIAN_PACKAGES.patroni);
if (failures.size > 0) throw new Error([...failures.values()].join('\n'));
const folder = temporaryFolder();
const cluster = await PatroniCluster.start();
const [first, second] = cluster.nodes;
const leader = await cluster.leader();
await asAdministrator(leader.url, (client) => client.query('CREATE DATABASE hospital TEMPLATE template0'));
const proxy = await startHaProxy(leader.url, (leader === first ? second : first)?.port ?? 0);
const url = proxy.urlOf(leader.url).replace(/postgres$/, 'hospital');
const service = new ServiceUnderTest(folder.path, await freePort(), {
  ...{ DATABASE_URL: url, SMS_GATEWAY: 'off', RATE_LIMIT: '0' },
});
let failed = 0;
try {
  await service.start();
  const bookings = plannedBookings(Date.now());
  for (const [what, begin, end] of FAULTS) {
    const leader = await cluster.leader();
    const load = new BookingLoad(service.port, CLIENTS, bookings);
    const { acknowledged, wrong } = load.counts;
    let longest = 0;
    /** Until so many more are acknowledged. */
    const more = async (count: number, when: string) => {
      const [wanted, late] = [acknowledged.length + count, AbortSignal.timeout(LONGEST_MS)];
      for (let [last, since] = [acknowledged.length, performance.now()]; acknowledged.length < wanted; ) {
        if (late.aborted)
          throw new Error(`only ${acknowledged.length} of ${wanted} are booked ${when}: the leader ${what}`);
        await new Promise((resume) => setTimeout(resume, EVERY_MS));
        if (acknowledged.length > last) [last, since] = [acknowledged.length, performance.now()];
        longest = Math.max(longest, performance.now() - since);
      }
    };
    try {
      await more(ENOUGH, 'before');
      leader[begin]();
      // What was on its way.
      await new Promise((resume) => setTimeout(resume, 1000));
      await more(ENOUGH, 'meanwhile');
      leader[end]();
      await cluster.leader();
      await more(ENOUGH, 'afterwards');
    } finally {
      await load.stop();
    }
    const { figures, ok } = await comparison(readConfig({ DATABASE_URL: url }).database, acknowledged, wrong);
    if (!ok) failed++;
    const { unavailable, unanswered } = load.counts;
    const seconds = (longest / 1000).toFixed(1);
    const counted = { ...figures, 'answers of 503': unavailable, unanswered, 'seconds without a booking': seconds };
    console.log(figureLine({ what: `the leader of Patroni ${what}, under load`, figures: counted, ok }));
  }
} finally {
  await service.kill();
  await proxy.stop();
  await cluster.dispose();
  folder.remove();
}
console.log(`${FAULTS.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
