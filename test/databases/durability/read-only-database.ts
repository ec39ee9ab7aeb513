import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import type { SmallDisk } from './small-disk.ts';
import { storedBookings } from './stored-bookings.ts';

const ENOUGH = 100;

/** A database on a file system that became read-only: the start is refused with a clear message; once it is writable, everything is there. */
export async function readOnlyDatabase(setting: Setting, disk: SmallDisk): Promise<Figure> {
  const { service, clients, bookings, database } = setting;
  const load = async () => {
    await service.start();
    const running = new BookingLoad(service.port, clients, bookings);
    await running.acknowledged(ENOUGH);
    const { acknowledged } = await running.stop();
    await service.stop();
    return acknowledged;
  };
  const before = await load();
  await disk.readOnly(true);
  const refusal = await service.start().then(
    () => 'it started',
    () => service.output,
  );
  await disk.readOnly(false);
  const after = await load();
  const stored = await storedBookings(database, [...before, ...after]);
  const inWords = /read-only|readonly|cannot be written/i.test(refusal) && !/^\s+at /m.test(refusal);
  return {
    what: 'start on a read-only database',
    figures: {
      refused: refusal.trim().split('\n').at(-1)?.slice(0, 120) ?? '',
      acknowledged: before.length + after.length,
      lost: stored.lost,
      doubled: stored.doubled,
    },
    ok: inWords && stored.lost === 0 && stored.doubled === 0,
  };
}
