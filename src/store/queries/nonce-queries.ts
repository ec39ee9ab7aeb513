import type { Session } from '../session.ts';
import { changeStatement } from '../statement.ts';

/** The maximum number of old nonces that one write deletes: more than it adds, so that they do not pile up, and few enough to cost little. */
const MOST_FORGOTTEN = 100;

const insertNonce = changeStatement((db, v: { hash: string; expiresOn: number }) =>
  db
    .insertInto('ws_nonce')
    .values({ nonce_hash: v.hash, expires_on: v.expiresOn })
    .onConflict((conflict) => conflict.doNothing()),
);

const deleteExpired = changeStatement((db, v: { now: number }) =>
  db
    .deleteFrom('ws_nonce')
    .where('nonce_hash', 'in', (expired) =>
      expired
        .selectFrom('ws_nonce')
        .select('nonce_hash')
        .where('expires_on', '<=', v.now)
        .orderBy('expires_on')
        .limit(MOST_FORGOTTEN),
    ),
);

/** Nonces of accepted messages, so that none is accepted twice. */
export const nonceQueries = {
  /** Stores a nonce until an instant (ms). Returns false if it is already stored. Deletes some expired ones. */
  async take(session: Session, hash: string, expiresOn: number, now: number): Promise<boolean> {
    await deleteExpired(session, { now });
    return (await insertNonce(session, { hash, expiresOn })) === 1;
  },
};
