import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import { storedBookings } from './stored-bookings.ts';

const ENOUGH = 100;

/** A service that starts before its database does: callers get 503, then full service without a restart. */
export async function lateDatabase(
  { service, clients, bookings, database }: Setting,
  { stop, start }: { readonly stop: () => Promise<void>; readonly start: () => Promise<void> },
): Promise<Figure> {
  await stop();
  await service.start('listening');
  const load = new BookingLoad(service.port, clients, bookings);
  let recovered = 0;
  try {
    await new Promise((resume) => setTimeout(resume, 1000));
    await start();
    const began = performance.now();
    await load.acknowledged(1);
    recovered = performance.now() - began;
    await load.acknowledged(ENOUGH);
  } finally {
    await load.stop();
    await service.stop();
  }
  const { acknowledged, unavailable, unanswered, broken, wrong } = load.counts;
  const stored = await storedBookings(database, acknowledged);
  return {
    what: 'the service starts before PostgreSQL does',
    figures: {
      acknowledged: acknowledged.length,
      lost: stored.lost,
      doubled: stored.doubled,
      'answers of 503': unavailable,
      unanswered,
      'wrong answers': wrong.join(' | ') || 0,
      'ms to the first booking': recovered,
    },
    ok:
      stored.lost === 0 &&
      stored.doubled === 0 &&
      unavailable > 0 &&
      unanswered === 0 &&
      broken === 0 &&
      wrong.length === 0,
  };
}
