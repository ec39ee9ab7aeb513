import { expect } from 'chai';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { perTest } from '../../../support/prepared.ts';
import { newMessage } from '../../../unit/messages/new-message.ts';

const HOUR = 3_600_000;

(ON_POSTGRES ? describe : describe.skip)('Processes whose clocks differ (npm run ci -- postgres)', () => {
  const own = perTest(newPostgresDatabase);
  const store = perTest(() => openStore(readConfig({ DATABASE_URL: own.url }).database));
  const machineClock = Date.now;
  let other: Store;
  /** Opens the other process's store while its machine shows another time, which goes on. */
  const openAhead = async (aheadMs: number) => {
    Date.now = () => machineClock() + aheadMs;
    other = await openStore(readConfig({ DATABASE_URL: own.url }).database);
  };
  afterEach(async () => {
    Date.now = machineClock;
    await other.close();
  });

  for (const hours of [1, -1, 24, -24]) {
    describe(`by ${hours} hours`, () => {
      beforeEach(() => openAhead(hours * HOUR));

      it('read the clock of the server, also those that run while their clock is set', async () => {
        expect(store.clock() - machineClock()).to.be.within(-1000, 1000);
        expect(other.clock() - store.clock()).to.be.within(-1000, 1000);
      });

      it('agree on who has the lease of the outbox, and when it ends', async () => {
        const take = (holder: string, by: Store, leaseMs: number) =>
          by.write(({ outbox }) => outbox.hold({ holder, now: by.clock(), leasedUntil: by.clock() + leaseMs }));
        expect(await take('one', store, 1000)).to.equal(true);
        expect(await take('other', other, 1000)).to.equal(false);
        const held = { holder: 'other', now: other.clock() };
        expect(await other.read(({ outbox }) => outbox.heldUntil(held))).to.be.a('number');
        await new Promise((resume) => setTimeout(resume, 1100));
        expect(await take('other', other, 1000)).to.equal(true);
        expect(await take('one', store, 1000)).to.equal(false);
      });

      it('agree on how long an Idempotency-Key and a nonce are remembered', async () => {
        const answer = { key: 'k', fingerprint: 'f', answer: '{}', now: store.clock() };
        await store.write(({ idempotency }) => idempotency.keep(answer));
        const kept = (since: number) => other.read(({ idempotency }) => idempotency.answer({ key: 'k', since }));
        expect((await kept(other.clock() - HOUR / 2))?.answer).to.equal('{}');
        expect(await kept(other.clock() + HOUR / 2)).to.equal(undefined);
        const take = (by: Store) => by.write(({ nonces }) => nonces.take('n', by.clock() + HOUR / 2, by.clock()));
        expect(await take(store)).to.equal(true);
        expect(await take(other)).to.equal(false);
      });

      it('agree on when a message is due and expires', async () => {
        const queued = store.clock();
        await store.write(({ messages }) => messages.insert(newMessage(queued, { expiresOn: queued + HOUR / 2 })));
        const now = other.clock() + 1000;
        const claim = { holder: 'other', now, leasedUntil: now + 1000, limit: 1 };
        const [claimed] = await other.write(({ outbox }) => outbox.claim(claim));
        expect(claimed).to.include({ dueOn: queued, expiresOn: queued + HOUR / 2 });
      });
    });
  }
});
