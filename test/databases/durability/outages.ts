import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import { recoveryFigure } from './recovery-figure.ts';
import type { Setting } from './setting.ts';

/** Bookings before and after the outage, which show that the service works. */
const ENOUGH = 100;

/**
 * Load, an outage of something that the service depends on, its end: callers get 503 meanwhile, then full service without a restart,
 * and nothing that was acknowledged is lost.
 */
export async function outage(
  setting: Setting,
  what: string,
  begin: () => Promise<void>,
  end: () => Promise<void>,
  expect503 = true,
): Promise<Figure> {
  const { service, clients, bookings } = setting;
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
  return recoveryFigure(setting, { what, load, expect503, measured: { 'ms to full service': recovered } });
}
