import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import { recoveryFigure } from './recovery-figure.ts';
import type { Setting } from './setting.ts';

const ENOUGH = 100;

/** A service that starts before its database does: callers get 503, then full service without a restart. */
export async function lateDatabase(
  setting: Setting,
  { stop, start }: { readonly stop: () => Promise<void>; readonly start: () => Promise<void> },
): Promise<Figure> {
  const { service, clients, bookings } = setting;
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
  const what = 'the service starts before PostgreSQL does';
  return recoveryFigure(setting, { what, load, measured: { 'ms to the first booking': recovered } });
}
