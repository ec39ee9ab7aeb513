import { sql } from 'kysely';
import type { SharedClock } from '../shared-clock.ts';
import { type Session, statement } from '../statement.ts';

/** Instants in ms. */
export interface LeaseWish {
  readonly holder: string;
  readonly now: number;
  readonly leasedUntil: number;
}

/**
 * When a process takes a lease until `leasedUntil`, a lease that ends after this bound must have been granted before the clock was set
 * back. It counts as expired, because waiting for its end could take hours. The bound leaves one whole lease in between, for clocks that
 * differ slightly.
 */
export const latestEnd = ({ now, leasedUntil }: Omit<LeaseWish, 'holder'>): number => leasedUntil + (leasedUntil - now);

/** Whether the lease whose end is in this column has ended. */
export const hasEnded = (column: string, v: { now: number; latest: number }, { stored }: SharedClock) =>
  sql<boolean>`(${sql.ref(column)} <= ${stored(v.now, v.now)} or ${sql.ref(column)} > ${stored(v.latest, v.now)})`;

/** The lease on the whole outbox. */
const OUTBOX = 'outbox';

const hold = statement((db, v: LeaseWish & { name: string; latest: number }, clock) =>
  db
    .insertInto('gateway_lease')
    .values({ name: v.name, holder: v.holder, leased_until: clock.stored(v.leasedUntil, v.now) })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: v.holder, leased_until: clock.stored(v.leasedUntil, v.now) })
        .where((row) =>
          row.or([row('gateway_lease.holder', '=', v.holder), hasEnded('gateway_lease.leased_until', v, clock)]),
        ),
    )
    .returning('name'),
);

const read = statement((db, v: { name: string; now: number }, { own }) =>
  db
    .selectFrom('gateway_lease')
    .select(['holder', own('leased_until', v.now).as('leasedUntil')])
    .where('name', '=', v.name),
);

const drop = statement((db, v: { name: string; holder: string }) =>
  db
    .updateTable('gateway_lease')
    .set({ holder: null, leased_until: 0 })
    .where('name', '=', v.name)
    .where('holder', '=', v.holder),
);

/** Takes or keeps the outbox until an instant. Returns false if another process holds it. */
export const holdOutbox = async (session: Session, wish: LeaseWish): Promise<boolean> =>
  (await hold(session, { name: OUTBOX, ...wish, latest: latestEnd(wish) })).length === 1;

/** Whether `holdOutbox` would succeed, without writing. */
export async function outboxIsFree(session: Session, wish: LeaseWish): Promise<boolean> {
  const [lease] = await read(session, { name: OUTBOX, now: wish.now });
  if (lease === undefined || lease.holder === wish.holder) return true;
  return lease.leasedUntil <= wish.now || lease.leasedUntil > latestEnd(wish);
}

export async function leaveOutbox(session: Session, holder: string): Promise<void> {
  await drop(session, { name: OUTBOX, holder });
}
