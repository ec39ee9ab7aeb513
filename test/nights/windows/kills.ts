import { rmSync } from 'node:fs';
import { type Acknowledged, BookingLoad } from '../../databases/durability/booking-load.ts';
import { plannedBookings } from '../../databases/durability/booking-plan.ts';
import { storedBookings } from '../../databases/durability/stored-bookings.ts';
import type { WindowsService } from './windows-service.ts';

const CLIENTS = 8;
const LEAST_A_ROUND = 20;

/** Kills the service's process under load repeatedly; throws unless each acknowledged booking exists once. Returns their number. */
export async function kills(service: WindowsService, database: string, rounds: number): Promise<number> {
  const bookings = plannedBookings(Date.now());
  const acknowledged: Acknowledged[] = [];
  for (let round = 1; round <= rounds; round++) {
    await service.start();
    const load = new BookingLoad(service.port, CLIENTS, bookings);
    await load.acknowledged(LEAST_A_ROUND);
    await service.kill();
    const counts = await load.stop();
    if (counts.wrong.length > 0) throw new Error(`wrong answers: ${counts.wrong.join(' | ')}`);
    acknowledged.push(...counts.acknowledged);
  }
  await service.start();
  await service.stop();
  rmSync(`${database}-shm`, { force: true });
  const { lost, doubled } = await storedBookings({ kind: 'sqlite', path: database, timeoutMs: 5000 }, acknowledged);
  if (lost > 0 || doubled > 0) throw new Error(`${acknowledged.length} acknowledged, ${lost} lost, ${doubled} doubled`);
  return acknowledged.length;
}
