import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import { recoveryFigure } from './recovery-figure.ts';
import type { Setting } from './setting.ts';

/** Bookings before the primary dies, and after its standby took over. */
const ENOUGH = 200;

/** The server that dies, and the one that takes its place. */
export interface Cluster {
  /** Nothing that the primary does reaches its standby from now on. */
  cutOff(): void;
  /** SIGKILL to the primary. */
  kill(): Promise<void>;
  /** The standby accepts writes. */
  promote(): Promise<void>;
}

/** Milliseconds without an answer from the standby: anything acknowledged in this time would be lost. */
const CUT_OFF = 500;

/**
 * SIGKILL to a primary under load, whose synchronous standby is promoted: everything acknowledged is kept, and the service continues by
 * itself.
 */
export async function failover(setting: Setting, { cutOff, kill, promote }: Cluster): Promise<Figure> {
  const { service, clients, bookings } = setting;
  await service.start();
  const load = new BookingLoad(service.port, clients, bookings);
  let recovered = 0;
  try {
    await load.acknowledged(ENOUGH);
    cutOff();
    await new Promise((resume) => setTimeout(resume, CUT_OFF));
    await kill();
    // The time that it takes to notice.
    await new Promise((resume) => setTimeout(resume, 1000));
    const before = load.counts.acknowledged.length;
    const began = performance.now();
    await promote();
    await load.acknowledged(before + 1);
    recovered = performance.now() - began;
    await load.acknowledged(before + ENOUGH);
  } finally {
    await load.stop();
    await service.stop();
  }
  const what = 'kill -9 of the primary under load, its synchronous standby promoted';
  return recoveryFigure(setting, { what, load, measured: { 'ms to the first booking': recovered } });
}
