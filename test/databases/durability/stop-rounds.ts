import type { Acknowledged } from './booking-load.ts';
import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import { comparison } from './stored-bookings.ts';

const LONGEST_STOP = 10_000;

/** SIGTERM under load: every answer that was begun is complete, and the process ends in time. */
export async function stopRounds(setting: Setting): Promise<Figure> {
  const { service, rounds, clients, bookings, random, database, progress } = setting;
  const acknowledged: Acknowledged[] = [];
  const wrong: string[] = [];
  let broken = 0;
  let slowest = 0;
  let badExits = 0;
  for (let round = 1; round <= rounds; round++) {
    await service.start();
    const load = new BookingLoad(service.port, clients, bookings);
    await load.acknowledged(50);
    await new Promise((resume) => setTimeout(resume, random() * 150));
    const { code, milliseconds } = await service.stop();
    const counts = await load.stop();
    for (const booking of counts.acknowledged) acknowledged.push(booking);
    wrong.push(...counts.wrong);
    broken += counts.broken;
    slowest = Math.max(slowest, milliseconds);
    if (code !== 0) badExits++;
    if (round % 10 === 0) progress(`SIGTERM: ${round} of ${rounds} rounds`);
  }
  const { figures, ok } = await comparison(database, acknowledged, wrong);
  const ends = { 'broken answers': broken, 'ends with another code than 0': badExits, 'slowest end in ms': slowest };
  return {
    what: `SIGTERM under load, ${rounds} rounds`,
    figures: { ...figures, ...ends },
    ok: ok && broken === 0 && badExits === 0 && slowest <= LONGEST_STOP,
  };
}
