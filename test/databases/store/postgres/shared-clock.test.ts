import { expect } from 'chai';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { perTest } from '../../../support/prepared.ts';
import { newMessage } from '../../../unit/messages/new-message.ts';

const DAY = 86_400_000;

(ON_POSTGRES ? describe : describe.skip)('Processes whose clocks differ by days (npm run ci -- postgres)', () => {
  const early = Date.UTC(2026, 10, 20);
  const late = early + 9 * DAY;
  const own = perTest(newPostgresDatabase);
  const store = perTest(() => openStore(readConfig({ DATABASE_URL: own.url }).database));

  it('agree on who has the lease of the outbox, and when it ends', async () => {
    const take = (holder: string, now: number, leaseMs: number) =>
      store.write(({ outbox }) => outbox.hold({ holder, now, leasedUntil: now + leaseMs }));
    expect(await take('early', early, 1000)).to.equal(true);
    expect(await take('late', late, 1000)).to.equal(false);
    expect(await store.read(({ outbox }) => outbox.heldUntil({ holder: 'late', now: late }))).to.be.a('number');
    await new Promise((resume) => setTimeout(resume, 1100));
    expect(await take('late', late, 1000)).to.equal(true);
    expect(await take('early', early, 1000)).to.equal(false);
  });

  it('agree on how long an Idempotency-Key and a nonce are remembered', async () => {
    await store.write(({ idempotency }) => idempotency.keep({ key: 'k', fingerprint: 'f', answer: '{}', now: early }));
    const kept = await store.read(({ idempotency }) => idempotency.answer({ key: 'k', since: late - DAY, now: late }));
    expect(kept?.answer).to.equal('{}');
    const take = (now: number) => store.write(({ nonces }) => nonces.take('n', now + DAY, now));
    expect(await take(early)).to.equal(true);
    expect(await take(late)).to.equal(false);
  });

  it('agree on when a message is due and expires', async () => {
    const message = newMessage(late, { expiresOn: late + DAY });
    await store.write(({ messages }) => messages.insert(message));
    const claim = { holder: 'early', now: early, leasedUntil: early + 1000, limit: 1 };
    const [claimed] = await store.write(({ outbox }) => outbox.claim(claim));
    expect(claimed?.dueOn).to.be.within(early - 60_000, early);
    expect(claimed?.expiresOn).to.be.within(early + DAY - 60_000, early + DAY);
  });
});
