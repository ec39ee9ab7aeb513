import type { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import { comparison } from './stored-bookings.ts';

/** The results of a load during a fault. */
interface Recovery {
  readonly what: string;
  readonly load: BookingLoad;
  /** Whether callers must have received 503 meanwhile. */
  readonly expect503?: boolean;
  /** How many calls may have met a connection that was closed; none by default. */
  readonly mostUnanswered?: number;
  /** What else was measured: milliseconds or counts by name. */
  readonly measured: Readonly<Record<string, number>>;
}

/** Compares what clients were told with what is stored: nothing is lost or duplicated, and every call has a correct answer. */
export async function recoveryFigure(
  { database }: Pick<Setting, 'database'>,
  { what, load, expect503 = true, mostUnanswered = 0, measured }: Recovery,
): Promise<Figure> {
  const { acknowledged, unavailable, unanswered, broken, wrong } = load.counts;
  const { figures, ok } = await comparison(database, acknowledged, wrong);
  return {
    what,
    figures: { ...figures, 'answers of 503': unavailable, unanswered, ...measured },
    ok: ok && unanswered <= mostUnanswered && broken === 0 && (!expect503 || unavailable > 0),
  };
}
