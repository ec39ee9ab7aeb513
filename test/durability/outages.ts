import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import { storedBookings } from './stored-bookings.ts';

/** Bookings before the outage, and after it, by which one sees that the service works. */
const ENOUGH = 100;

/**
 * Load, an outage of what the service stands on, its end: the callers get 503 meanwhile, then full service by itself, and nothing
 * that was acknowledged is lost.
 */
export async function outage(
  setting: Setting,
  what: string,
  begin: () => Promise<void>,
  end: () => Promise<void>,
  expect503 = true,
): Promise<Figure> {
  const { service, clients, bookings, database } = setting;
  await service.start();
  const load = new BookingLoad(service.port, clients, bookings);
  let recovered = 0;
  try {
    await load.acknowledged(ENOUGH);
    await begin();
    await new Promise((resume) => setTimeout(resume, 1000));
    await end();
    const began = performance.now();
    await load.acknowledged(load.counts.acknowledged.length + ENOUGH);
    recovered = performance.now() - began;
  } finally {
    await load.stop();
    await service.stop();
  }
  const { acknowledged, unavailable, unanswered, broken, wrong } = load.counts;
  const stored = await storedBookings(database, acknowledged);
  return {
    what,
    figures: {
      acknowledged: acknowledged.length,
      lost: stored.lost,
      doubled: stored.doubled,
      'answers of 503': unavailable,
      unanswered,
      'wrong answers': wrong.join(' | ') || 0,
      'ms to full service': recovered,
    },
    ok:
      stored.lost === 0 &&
      stored.doubled === 0 &&
      unanswered === 0 &&
      broken === 0 &&
      wrong.length === 0 &&
      (!expect503 || unavailable > 0),
  };
}
