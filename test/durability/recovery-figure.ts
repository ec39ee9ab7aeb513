import type { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import { storedBookings } from './stored-bookings.ts';

/** The results of a load during a fault. */
interface Recovery {
  readonly what: string;
  readonly load: BookingLoad;
  /** Whether callers must have received 503 meanwhile. */
  readonly expect503?: boolean;
  /** What else was measured: milliseconds or counts by name. */
  readonly measured: Readonly<Record<string, number>>;
}

/** Compares what clients were told with what is stored: nothing is lost or duplicated, and every call has a correct answer. */
export async function recoveryFigure(
  { database }: Pick<Setting, 'database'>,
  { what, load, expect503 = true, measured }: Recovery,
): Promise<Figure> {
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
      ...measured,
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
