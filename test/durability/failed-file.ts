import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import { storedBookings } from './stored-bookings.ts';

const ENOUGH = 100;
/** How long a failed file may stay unnoticed, in milliseconds. */
const LONGEST_UNNOTICED = 5000;
/** For answers that were on their way when the service noticed, and then for those that must not come; milliseconds. */
const SETTLING = 250;
const WATCHED = 500;

/** A SQLite file that fails under load: the service is not ready soon, acknowledges nothing more, and nothing is missing once the file is mended. */
export async function failedFile(
  { service, clients, bookings, database }: Setting,
  what: string,
  fail: () => void,
  mend: () => void,
): Promise<Figure> {
  await service.start();
  const load = new BookingLoad(service.port, clients, bookings);
  let unnoticed = 0;
  let afterwards = 0;
  try {
    await load.acknowledged(ENOUGH);
    fail();
    unnoticed = await untilNotReady(service.port);
    await pause(SETTLING);
    const before = load.counts.acknowledged.length;
    await pause(WATCHED);
    afterwards = load.counts.acknowledged.length - before;
  } finally {
    await load.stop();
    await service.stop();
  }
  mend();
  const { acknowledged, unavailable, unanswered, broken, wrong } = load.counts;
  const stored = await storedBookings(database, acknowledged);
  return {
    what,
    figures: {
      acknowledged: acknowledged.length,
      lost: stored.lost,
      doubled: stored.doubled,
      'acknowledged after it was noticed': afterwards,
      'answers of 503': unavailable,
      'wrong answers': wrong.join(' | ') || 0,
      'ms until not ready': unnoticed,
    },
    ok:
      stored.lost === 0 &&
      stored.doubled === 0 &&
      afterwards === 0 &&
      unavailable > 0 &&
      unanswered === 0 &&
      broken === 0 &&
      wrong.length === 0 &&
      unnoticed < LONGEST_UNNOTICED,
  };
}

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

/** Milliseconds until `/readyz` says 503; gives up after twice as long as it may take. */
async function untilNotReady(port: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    await answer.text();
    const took = performance.now() - began;
    if (answer.status === 503 || took > 2 * LONGEST_UNNOTICED) return took;
    await pause(20);
  }
}
