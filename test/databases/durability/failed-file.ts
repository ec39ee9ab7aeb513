import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import { recoveryFigure } from './recovery-figure.ts';
import type { Setting } from './setting.ts';

const ENOUGH = 100;
/** The time in which a failed file must be noticed, in milliseconds. */
const LONGEST_UNNOTICED = 5000;
/** For answers that were being sent when the service noticed, and then for answers that must not be sent; milliseconds. */
const SETTLING = 250;
const WATCHED = 500;

/**
 * An SQLite file that fails under load: the service is soon not ready, acknowledges nothing more, and nothing is missing once the file is
 * mended.
 */
export async function failedFile(setting: Setting, what: string, fail: () => void, mend: () => void): Promise<Figure> {
  const { service, clients, bookings } = setting;
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
  const measured = { 'acknowledged after it was noticed': afterwards, 'ms until not ready': unnoticed };
  const figure = await recoveryFigure(setting, { what, load, measured });
  return { ...figure, ok: figure.ok && afterwards === 0 && unnoticed < LONGEST_UNNOTICED };
}

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

/** Milliseconds until `/readyz` answers 503; gives up after twice the permitted time. */
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
