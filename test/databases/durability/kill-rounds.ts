import type { Acknowledged } from './booking-load.ts';
import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import { comparison } from './stored-bookings.ts';

/** At least this many are acknowledged before each kill: ten thousand in a hundred rounds. */
const LEAST_A_ROUND = 100;

/** SIGKILL under load, again and again: every acknowledged booking exists exactly once. */
export async function killRounds(setting: Setting): Promise<Figure> {
  const { service, rounds, clients, bookings, random, database, longestStart, progress } = setting;
  const acknowledged: Acknowledged[] = [];
  const wrong: string[] = [];
  let slowest = 0;
  for (let round = 1; round <= rounds; round++) {
    slowest = Math.max(slowest, await service.start());
    const load = new BookingLoad(service.port, clients, bookings);
    await load.acknowledged(LEAST_A_ROUND);
    await new Promise((resume) => setTimeout(resume, random() * 150));
    await service.kill();
    const counts = await load.stop();
    for (const booking of counts.acknowledged) acknowledged.push(booking);
    wrong.push(...counts.wrong);
    if (round % 10 === 0) progress(`kill -9: ${round} of ${rounds} rounds, ${acknowledged.length} acknowledged`);
  }
  slowest = Math.max(slowest, await service.start());
  await service.stop();
  const { figures, ok } = await comparison(database, acknowledged, wrong);
  return {
    what: `kill -9 under load, ${rounds} rounds`,
    figures: { ...figures, 'slowest start in ms': slowest },
    ok: ok && slowest < longestStart && acknowledged.length >= rounds * LEAST_A_ROUND,
  };
}
