import { BookingLoad } from './booking-load.ts';
import type { PlannedBooking } from './booking-plan.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import { comparison } from './stored-bookings.ts';

const ENOUGH = 1000;

/** Two services on one database at the same time, each under load. */
export async function twoServices(one: Setting, other: Setting): Promise<Figure> {
  const bookings: Iterator<PlannedBooking> = one.bookings;
  await Promise.all([one.service.start(), other.service.start()]);
  const loads = [one, other].map(({ service, clients }) => new BookingLoad(service.port, clients / 2, bookings));
  try {
    await Promise.all(loads.map((load) => load.acknowledged(ENOUGH)));
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
    await Promise.all([one.service.stop(), other.service.stop()]);
  }
  const counts = loads.map((load) => load.counts);
  const acknowledged = counts.flatMap((count) => count.acknowledged);
  const wrong = counts.flatMap((count) => count.wrong);
  const refused = counts.reduce(
    (sum, { unavailable, unanswered, broken }) => sum + unavailable + unanswered + broken,
    0,
  );
  const { figures, ok } = await comparison(one.database, acknowledged, wrong);
  return {
    what: 'two services on one database',
    figures: { ...figures, 'not served': refused },
    ok: ok && refused === 0,
  };
}
