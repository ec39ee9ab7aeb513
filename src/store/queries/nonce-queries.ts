import type { Session } from '../session.ts';
import { statement } from '../statement.ts';

/**
 * The maximum number of old nonces that one write deletes: more than it adds, so that they do not pile up, and few enough to cost little.
 */
const MOST_FORGOTTEN = 100;

const insertNonce = statement((db, v: { hash: string; expiresOn: number; now: number }, { stored }) =>
  db
    .insertInto('ws_nonce')
    .values({ nonce_hash: v.hash, expires_on: stored(v.expiresOn, v.now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('nonce_hash'),
);

const deleteExpired = statement((db, v: { now: number }, { stored }) =>
  db
    .deleteFrom('ws_nonce')
    .where('nonce_hash', 'in', (expired) =>
      expired
        .selectFrom('ws_nonce')
        .select('nonce_hash')
        .where('expires_on', '<=', stored(v.now, v.now))
        .orderBy('expires_on')
        .limit(MOST_FORGOTTEN),
    ),
);

/** Nonces of accepted messages, so that none is accepted twice. */
export class NonceQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** Stores a nonce until an instant (ms). Returns false if it is already stored. Deletes some expired ones. */
  async take(hash: string, expiresOn: number, now: number): Promise<boolean> {
    await deleteExpired(this.#session, { now });
    const rows = await insertNonce(this.#session, { hash, expiresOn, now });
    return rows.length > 0;
  }
}
