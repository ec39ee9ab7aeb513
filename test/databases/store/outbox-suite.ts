import { expect } from 'chai';
import type { MessageFate } from '../../../src/store/queries/outbox-fate.ts';
import type { DeliveryReceipt } from '../../../src/vocabulary/messages.ts';
import { perTest } from '../../support/prepared.ts';
import { newMessage, otherNumber } from '../../unit/messages/new-message.ts';
import type { TestDatabase } from './store-suite.ts';

const NOW = Date.UTC(2026, 10, 20, 3);
const LEASE = 30_000;
const [QUEUED, SENDING, SUBMITTED, DELIVERED, FAILED, EXPIRED, REJECTED, DEAD] = [1, 2, 3, 4, 5, 6, 7, 8];

/** What every database promises about the outbox. */
export function outboxSuite(name: string, newDatabase: () => Promise<TestDatabase>): void {
  describe(`The outbox in ${name}`, () => {
    const database = perTest(() => newDatabase());
    const store = perTest(() => database.open());

    const queue = (values: Parameters<typeof newMessage>[1] = {}) =>
      store.write(({ messages }) => messages.insert(newMessage(NOW, { mobile: otherNumber(), ...values })));
    const claim = (values: { holder?: string; now?: number; limit?: number; turn?: number } = {}, on = store) =>
      on.write(({ outbox }) => {
        const { holder = 'one', now = NOW, limit = 100, turn = 0 } = values;
        return outbox.claim({ holder, now, limit, turn, leasedUntil: now + LEASE });
      });
    const claimUnanswered = (now: number) =>
      store.write(({ outbox }) => outbox.claimUnanswered({ holder: 'two', now, leasedUntil: now + LEASE, limit: 9 }));
    const record = (value: MessageFate, holder = 'one', now = NOW) =>
      store.write(({ outbox }) => outbox.record(value, holder, now));
    const match = (values: Partial<DeliveryReceipt>) =>
      store.write(({ messages }) =>
        messages.receive(
          { messageId: undefined, reference: undefined, code: undefined, status: 'delivered', ...values },
          NOW,
        ),
      );
    /** The id of the message that it is about. */
    const receive = async (values: Partial<DeliveryReceipt>) => {
      const { messageId, isFitting } = (await match(values)) ?? {};
      return isFitting ? messageId : undefined;
    };
    const row = async (id: number) => {
      const found = await store.read(({ messageList }) => messageList.show({ id }));
      if (found === undefined) throw new Error(`no message ${id}`);
      return found;
    };
    const ids = (messages: readonly { readonly id: number }[]) => messages.map(({ id }) => id);

    /** One message per status, by its status. */
    async function oneOfEach(): Promise<ReadonlyMap<number, number>> {
      const of = new Map<number, number>();
      for (let status = QUEUED; status <= DEAD; status++) of.set(status, await queue());
      await claim();
      const fates: readonly (readonly [number, Partial<MessageFate>])[] = [
        [QUEUED, { kind: 'queued', dueOn: NOW, usesAttempt: true, code: null }],
        [SUBMITTED, { kind: 'submitted', gateway: 'g', reference: 'ref-3' }],
        [DELIVERED, { kind: 'submitted', gateway: 'g', reference: 'ref-4' }],
        [FAILED, { kind: 'submitted', gateway: 'g', reference: 'ref-5' }],
        [EXPIRED, { kind: 'ended', status: 6, code: null }],
        [REJECTED, { kind: 'ended', status: 7, code: 'no' }],
        [DEAD, { kind: 'ended', status: 8, code: 'busy' }],
      ];
      for (const [status, values] of fates) await record({ id: of.get(status), ...values } as MessageFate);
      await receive({ messageId: of.get(DELIVERED) });
      await receive({ messageId: of.get(FAILED), status: 'failed' });
      for (const [status, id] of of) expect((await row(id)).status).to.equal(status);
      return of;
    }

    describe('hands out messages', () => {
      it('that are due, by priority and due time, up to a limit', async () => {
        const late = await queue({ dueOn: NOW });
        const early = await queue({ dueOn: NOW - 1 });
        await queue({ dueOn: NOW + 1 });
        const password = await queue({ priority: 1, dueOn: NOW });
        const later = await queue({ dueOn: NOW });
        expect(ids(await claim({ limit: 3 }))).to.deep.equal([password, early, late]);
        expect(ids(await claim())).to.deep.equal([later]);
        expect(await row(early)).to.include({
          status: SENDING,
          leased_by: 'one',
          lease_ends_on: NOW + LEASE,
          attempts: 1,
        });
      });

      it('of every priority, while a stream of one-time passwords would take all of them', async () => {
        const given: number[] = [];
        for (let n = 0; n < 20; n++) {
          for (const priority of [1, 0, -1]) await queue({ priority });
        }
        for (let turn = 0; turn < 16; turn++) {
          const [id] = ids(await claim({ limit: 1, turn }));
          given.push((await row(id as number)).priority);
        }
        const count = (priority: number) => given.filter((other) => other === priority).length;
        expect([count(1), count(0), count(-1)]).to.deep.equal([12, 3, 1]);
      });

      it("to one number without waiting for another client's, which its provider may never answer", async () => {
        const mobile = '+919845099999';
        const stuck = await queue({ mobile, client: 'campaign' });
        expect(ids(await claim())).to.deep.equal([stuck]);
        await record({ kind: 'unanswered', id: stuck, until: NOW + LEASE, code: 'timeout' });
        await queue({ mobile, client: 'campaign' });
        const other = await queue({ mobile, client: 'app' });
        expect(ids(await claim())).to.deep.equal([other]);
      });

      it('each to one of several processes that ask at the same moment', async () => {
        for (let n = 0; n < 60; n++) await queue();
        const stores = await Promise.all(Array.from({ length: 4 }, () => database.open()));
        const given = await Promise.all(
          Array.from({ length: 12 }, (_, n) => claim({ holder: `holder ${n}`, limit: 10 }, stores[n % 4])),
        );
        const all = given.flatMap(ids);
        expect(new Set(all).size).to.equal(all.length);
        for (let more = await claim(); more.length > 0; more = await claim()) all.push(...ids(more));
        expect(all).to.have.length(60);
      });

      it('to one number in the order in which they were queued, each once the one before is accepted or given up', async () => {
        const mobile = '+919845099999';
        const [first, second, third] = [await queue({ mobile }), await queue({ mobile }), await queue({ mobile })];
        const held = await queue({ mobile, priority: -1, dueOn: NOW + 99 });
        const [password, other] = [await queue({ mobile, priority: 1 }), await queue()];
        expect(ids(await claim())).to.deep.equal([password, first, other]);
        await record({ kind: 'queued', id: first, dueOn: NOW + 9, usesAttempt: true, code: 'busy' });
        expect(ids(await claim())).to.deep.equal([]);
        expect(await store.read(({ outbox }) => outbox.hasWork(NOW))).to.equal(false);
        expect(ids(await claim({ now: NOW + 9 }))).to.deep.equal([first]);
        await record({ kind: 'unanswered', id: first, until: NOW + LEASE, code: 'timeout' });
        expect(ids(await claim())).to.deep.equal([]);
        await receive({ messageId: first });
        expect(ids(await claim())).to.deep.equal([second]);
        await record({ kind: 'ended', id: second, status: 8, code: 'busy' });
        expect(ids(await claim())).to.deep.equal([third]);
        await record({ kind: 'submitted', id: third, gateway: 'g', reference: undefined });
        expect(ids(await claim({ now: NOW + 99 }))).to.deep.equal([held]);
      });

      it('that a process was sending when another took over, as unanswered ones', async () => {
        const [id, settled] = [await queue(), await queue()];
        await claim();
        const sending = await store.read(({ outbox }) => outbox.sending({}));
        expect(sending.map(({ id, sender, attempts }) => [id, sender, attempts])).to.have.deep.members([
          [id, 'one', 1],
          [settled, 'one', 1],
        ]);
        await receive({ messageId: settled });
        const takeOver = (id: number, sender: string) =>
          store.write(({ outbox }) => outbox.takeOver({ id, sender, now: NOW }));
        expect(await takeOver(settled, 'one')).to.equal(0);
        expect(await takeOver(id, 'another')).to.equal(0);
        expect(await takeOver(id, 'one')).to.equal(1);
        expect(await row(id)).to.include({ status: SENDING, leased_by: null, unanswered: 1, takeovers: 1 });
        expect(await record({ kind: 'submitted', id, gateway: 'g', reference: 'late' })).to.equal(false);
        expect(ids(await claimUnanswered(NOW))).to.deep.equal([id]);
        expect(await row(id)).to.include({ leased_by: 'two', attempts: 2, unanswered: 1, takeovers: 1 });
        expect(await claimUnanswered(NOW + LEASE)).to.deep.equal([]);
      });

      it('without an answer separately, once the answer is late', async () => {
        const id = await queue();
        await claim();
        expect(await record({ kind: 'unanswered', id, until: NOW + LEASE, code: 'timeout' })).to.equal(true);
        expect(await claimUnanswered(NOW + LEASE - 1)).to.deep.equal([]);
        expect(ids(await claimUnanswered(NOW + LEASE))).to.deep.equal([id]);
        expect(await row(id)).to.include({ leased_by: 'two', attempts: 2, takeovers: 0, last_code: 'timeout' });
      });

      it('and reports beforehand whether there are any', async () => {
        const hasWork = (now: number) => store.read(({ outbox }) => outbox.hasWork(now));
        expect(await hasWork(NOW)).to.equal(false);
        await queue({ dueOn: NOW + 5, expiresOn: NOW + 9 });
        expect(await hasWork(NOW + 4)).to.equal(false);
        expect(await hasWork(NOW + 5)).to.equal(true);
        await claim({ now: NOW + 5 });
        expect(await hasWork(NOW + 10)).to.equal(false);
        expect(await hasWork(NOW + 5 + LEASE)).to.equal(false);
        const held = await queue({ dueOn: NOW + 999_999, expiresOn: NOW + 20 });
        expect(await hasWork(NOW + 19)).to.equal(false);
        expect(await hasWork(NOW + 20)).to.equal(true);
        expect(await store.write(({ outbox }) => outbox.expire(NOW + 20))).to.deep.equal([held]);
        expect(await row(held)).to.include({ status: EXPIRED, finished_on: NOW + 20 });
      });
    });

    it('and holds back those of a mode that are due', async () => {
      const promotion = await queue({ mode: 2 });
      const service = await queue();
      await store.write(({ outbox }) => outbox.holdBack({ mode: 2, now: NOW, until: NOW + 99 }));
      expect((await row(promotion)).priority).to.equal(-1);
      expect([(await row(promotion)).due_on, (await row(service)).due_on]).to.deep.equal([NOW + 99, NOW]);
    });

    it('is held by one process, until it releases it or the lease expires', async () => {
      const hold = (holder: string, now: number) =>
        store.write(({ outbox }) => outbox.hold({ holder, now, leasedUntil: now + LEASE }));
      const isFree = async (holder: string, now: number) =>
        (await store.read(({ outbox }) => outbox.heldUntil({ holder, now }))) === undefined;
      expect(await isFree('one', NOW)).to.equal(true);
      expect(await hold('one', NOW)).to.equal(true);
      expect(await hold('two', NOW + LEASE - 1)).to.equal(false);
      expect(await isFree('two', NOW + LEASE - 1)).to.equal(false);
      expect(await hold('one', NOW + 1)).to.equal(true);
      expect(await hold('two', NOW + LEASE)).to.equal(false);
      expect(await isFree('two', NOW + 1 + LEASE)).to.equal(true);
      expect(await hold('two', NOW + 1 + LEASE)).to.equal(true);
      await store.write(({ outbox }) => outbox.release({ holder: 'one' }));
      expect(await hold('one', NOW + 1 + LEASE)).to.equal(false);
      await store.write(({ outbox }) => outbox.release({ holder: 'two' }));
      expect(await hold('one', NOW + 1 + LEASE)).to.equal(true);
    });

    it('goes to one of many processes that ask at the same moment', async () => {
      const stores = await Promise.all(Array.from({ length: 4 }, () => database.open()));
      const held = await Promise.all(
        stores.map((each, n) =>
          each.write(({ outbox }) => outbox.hold({ holder: `holder ${n}`, now: NOW, leasedUntil: NOW + LEASE })),
        ),
      );
      expect(held.filter((has) => has)).to.have.length(1);
    });

    describe('records the fate of a message', () => {
      const fates: readonly (readonly [what: string, of: (id: number) => MessageFate, row: object])[] = [
        [
          'was accepted',
          (id) => ({ kind: 'submitted', id, gateway: 'g', reference: 'ref' }),
          { status: SUBMITTED, submitted_on: NOW, gateway: 'g', gateway_reference: 'ref', leased_by: null },
        ],
        [
          'ended',
          (id) => ({ kind: 'ended', id, status: 7, code: 'no' }),
          { status: REJECTED, finished_on: NOW, last_code: 'no', leased_by: null, lease_ends_on: null },
        ],
        [
          'waits to be sent again',
          (id) => ({ kind: 'queued', id, dueOn: NOW + 5, usesAttempt: true, code: 'busy' }),
          { status: QUEUED, due_on: NOW + 5, attempts: 1, last_code: 'busy', leased_by: null },
        ],
        [
          'was released unsent',
          (id) => ({ kind: 'queued', id, dueOn: NOW, usesAttempt: false, code: null }),
          { status: QUEUED, attempts: 0 },
        ],
      ];
      for (const [what, of, expected] of fates) {
        it(`that ${what}, once, and only for the process that has it`, async () => {
          const id = await queue();
          await claim();
          expect(await record(of(id), 'two')).to.equal(false);
          expect(await row(id)).to.include({ status: SENDING, leased_by: 'one' });
          expect(await record(of(id))).to.equal(true);
          expect(await row(id)).to.include(expected);
          expect(await record(of(id))).to.equal(false);
        });
      }

      it('whose receipt arrived earlier, without going back', async () => {
        const id = await queue();
        await claim();
        await receive({ messageId: id });
        const taken: MessageFate = { kind: 'submitted', id, gateway: 'g', reference: 'ref' };
        expect(await record(taken, 'two')).to.equal(false);
        expect(await record(taken)).to.equal(true);
        expect(await row(id)).to.include({ status: DELIVERED, gateway_reference: 'ref', leased_by: null });
      });
    });

    describe('processes receipts', () => {
      const after: Readonly<Record<DeliveryReceipt['status'], readonly number[]>> = {
        // From each status, 1 to 8.
        submitted: [SUBMITTED, SUBMITTED, SUBMITTED, DELIVERED, FAILED, EXPIRED, REJECTED, SUBMITTED],
        delivered: [DELIVERED, DELIVERED, DELIVERED, DELIVERED, FAILED, DELIVERED, DELIVERED, DELIVERED],
        failed: [QUEUED, FAILED, FAILED, DELIVERED, FAILED, EXPIRED, REJECTED, DEAD],
        expired: [QUEUED, EXPIRED, EXPIRED, DELIVERED, FAILED, EXPIRED, REJECTED, DEAD],
      } as Readonly<Record<DeliveryReceipt['status'], readonly number[]>>;
      for (const [status, expected] of Object.entries(after)) {
        it(`${status}: a message moves forward, never back, and leaves a final status only if we gave up after it was sent`, async () => {
          const of = await oneOfEach();
          for (const [from, id] of of) {
            expect(await receive({ messageId: id, status: status as DeliveryReceipt['status'] })).to.equal(id);
            expect((await row(id)).status, `from ${from}`).to.equal(expected[from - 1]);
          }
        });
      }

      it("by the gateway's name, for the newest message with it, and by SMSID first", async () => {
        const of = await oneOfEach();
        const id = of.get(SUBMITTED) ?? 0;
        expect(await receive({ reference: 'ref-3', code: 'OK' })).to.equal(id);
        expect(await row(id)).to.include({ status: DELIVERED, last_code: 'OK', finished_on: NOW });
        expect(await receive({ messageId: of.get(DEAD), reference: 'ref-3' })).to.equal(of.get(DEAD));
        expect(await receive({ messageId: 999_999, reference: 'ref-3' })).to.equal(id);
        const next = await queue();
        await claim();
        await record({ kind: 'submitted', id: next, gateway: 'g', reference: 'ref-3' });
        expect(await receive({ reference: 'ref-3' })).to.equal(next);
      });

      it('without effect for a message that was never sent: they concern one with the same SMSID in another database', async () => {
        const id = await queue();
        for (const status of ['submitted', 'delivered', 'failed', 'expired'] as const) {
          expect(await receive({ messageId: id, status })).to.equal(id);
          expect((await row(id)).status).to.equal(QUEUED);
        }
        await claim();
        await record({ kind: 'queued', id, dueOn: NOW, usesAttempt: false, code: 'away' });
        await receive({ messageId: id });
        expect((await row(id)).status).to.equal(QUEUED);
      });

      it('that are final, permanently', async () => {
        const id = await queue();
        await claim();
        await record({ kind: 'submitted', id, gateway: 'g', reference: 'ref' });
        await receive({ messageId: id, status: 'expired' });
        await receive({ messageId: id });
        expect((await row(id)).status).to.equal(EXPIRED);
      });

      it("and stores the gateway's name of the message for the next receipt", async () => {
        const id = await queue();
        await claim();
        await receive({ messageId: id, reference: 'late', status: 'submitted' });
        expect(await row(id)).to.include({ status: SUBMITTED, gateway_reference: 'late' });
        expect(await receive({ reference: 'late' })).to.equal(id);
      });

      it("by the gateway's name in another notation, if the phone is the same", async () => {
        const [id, other] = [await queue({ mobile: '+919845099999' }), await queue({ mobile: '+919845099998' })];
        await claim();
        await record({ kind: 'submitted', id, gateway: 'g', reference: 'ab' });
        await record({ kind: 'submitted', id: other, gateway: 'g', reference: '171' });
        const hints = { idEnd: undefined, references: ['ab', '369'] };
        const from = (mobile: string) => receive({ reference: '171', hints: { ...hints, mobiles: [mobile] } });
        expect(await from('919845099999')).to.equal(id);
        expect(await from('09845099998')).to.equal(other);
        // The same id, but nobody else's message.
        expect(await from('1234')).to.equal(undefined);
        expect(await receive({ reference: '171' })).to.equal(other);
        // Without a phone, it could be either's.
        expect(await receive({ reference: '171', hints: { ...hints, mobiles: [] } })).to.equal(undefined);
      });

      it('without a phone by exactly its name, and says whose name it is if the phone is not', async () => {
        const id = await queue({ mobile: '+919845099999' });
        await claim();
        await record({ kind: 'submitted', id, gateway: 'g', reference: 'ab' });
        const about = (reference: string, ...mobiles: string[]) =>
          match({ reference, hints: { idEnd: undefined, references: ['171'], mobiles } });
        expect(await about('ab', '919845099998')).to.deep.equal({ messageId: id, isFitting: false });
        expect(await about('x')).to.equal(undefined);
        expect(await about('ab', '56161000', '919845099999')).to.deep.equal({ messageId: id, isFitting: true });
        expect(await about('ab')).to.deep.equal({ messageId: id, isFitting: true });
        // The gateway knows it by the id of another segment.
        const hints = { idEnd: undefined, references: [], mobiles: ['919845099998'] };
        expect(await receive({ messageId: id, hints })).to.equal(undefined);
        expect((await row(id)).status).to.equal(DELIVERED);
      });

      it('of two messages to one number, the one that the SMS center names', async () => {
        const mobile = '+919845012345';
        const [id, other] = [await queue({ mobile }), await queue({ mobile })];
        await claim();
        await record({ kind: 'submitted', id, gateway: 'g', reference: 'ab' });
        await claim();
        await record({ kind: 'submitted', id: other, gateway: 'g', reference: '171' });
        const hints = { idEnd: id, references: ['ab'], mobiles: [mobile] };
        expect(await receive({ reference: '171', hints })).to.equal(id);
      });

      it('by the end of the SMSID and the phone, for a message in one segment that was sent and has no name yet', async () => {
        const mobile = '+919845099999';
        const [other, long, id] = [await queue(), await queue({ mobile, segments: 2 }), await queue({ mobile })];
        const hintsOf = (of: number) => ({ idEnd: of % 65_536, mobiles: ['919845099999'], references: [] });
        expect(await receive({ reference: 'x', hints: hintsOf(id) })).to.equal(undefined);
        await claim();
        await record({ kind: 'submitted', id: long, gateway: 'g', reference: undefined });
        await claim();
        for (const wrong of [other, long]) expect(await receive({ hints: hintsOf(wrong) })).to.equal(undefined);
        expect(await receive({ reference: 'x', hints: hintsOf(id) })).to.equal(id);
        expect((await row(id)).status).to.equal(DELIVERED);
      });

      it('without effect for no message', async () => {
        expect(await receive({ messageId: 1 })).to.equal(undefined);
        expect(await receive({ reference: 'nobody' })).to.equal(undefined);
        expect(await receive({})).to.equal(undefined);
      });
    });

    describe('gives its operator', () => {
      it('the number of messages in each status', async () => {
        await oneOfEach();
        await queue({ now: NOW - 7 });
        const counts = await store.read(({ messageList }) => messageList.countByStatus({}));
        expect(counts.map(({ status, count }) => [status, count])).to.deep.equal([
          [1, 2],
          ...[2, 3, 4, 5, 6, 7, 8].map((status) => [status, 1]),
        ]);
      });

      it('since when a message could have been sent; a promotional one, since it may be, once that is ten minutes ago', async () => {
        const since = (now: number) => store.read(({ messageList }) => messageList.waitingSince(now));
        await queue({ priority: -1, dueOn: NOW + 50, now: NOW - 99 });
        const wait = 600_000;
        expect([await since(NOW + 49 + wait), await since(NOW + 50 + wait)]).to.deep.equal([undefined, NOW + 50]);
        await queue({ now: NOW - 7 });
        expect(await since(NOW + 50)).to.equal(NOW - 7);
      });

      it('the newest messages, of one status or of all, without number and text', async () => {
        const of = await oneOfEach();
        const list = (status: number | undefined, limit: number) =>
          store.read(({ messageList }) => messageList.list({ status, limit }));
        expect(ids(await list(undefined, 3))).to.deep.equal([of.get(8), of.get(7), of.get(6)]);
        expect(ids(await list(DEAD, 3))).to.deep.equal([of.get(8)]);
        expect(JSON.stringify(await list(undefined, 99))).to.not.match(/9845012345|appointment/);
      });

      it('a way to send again what has failed, as if it had just been queued', async () => {
        const of = await oneOfEach();
        for (const [status, id] of of) {
          const done = await store.write(({ messageList }) => messageList.sendAgain({ id, now: NOW + 5 }));
          expect(done === 1, String(status)).to.equal(status >= FAILED);
        }
        const again = await row(of.get(FAILED) ?? 0);
        expect(again).to.include({ status: QUEUED, attempts: 0, due_on: NOW + 5, finished_on: null });
        expect(again).to.include({ gateway_reference: null, submitted_on: null, expires_on: null });
      });

      it('a way to send all dead messages again', async () => {
        const of = await oneOfEach();
        expect(
          await store.write(({ messageList }) =>
            messageList.sendChosenAgain({ status: 8, evenIfDelivered: false, now: NOW }),
          ),
        ).to.equal(1);
        expect((await row(of.get(DEAD) ?? 0)).status).to.equal(QUEUED);
        const [late, early] = [await queue({ expiresOn: NOW }), await queue({ expiresOn: NOW + 1 })];
        await claim();
        for (const id of [late, early]) await record({ kind: 'ended', id, status: 8, code: null });
        expect(
          await store.write(({ messageList }) =>
            messageList.sendChosenAgain({ status: 8, evenIfDelivered: false, now: NOW }),
          ),
        ).to.equal(1);
        expect(await row(early)).to.include({ status: QUEUED, expires_on: NOW + 1 });
        expect((await row(late)).status).to.equal(DEAD);
        expect((await row(of.get(REJECTED) ?? 0)).status).to.equal(REJECTED);
      });

      it('a way to cancel what is queued, and nothing else', async () => {
        const of = await oneOfEach();
        for (const [status, id] of of) {
          const done = await store.write(({ messageList }) => messageList.cancel({ id, now: NOW }));
          expect(done === 1, String(status)).to.equal(status === QUEUED);
        }
        expect(await row(of.get(QUEUED) ?? 0)).to.include({ status: REJECTED, last_code: 'cancelled' });
      });

      it('a way to delete old messages that no longer wait, some at a time', async () => {
        await oneOfEach();
        const kept = await queue({ now: NOW + 1, dueOn: NOW - 1 });
        await claim({ limit: 1 });
        await record({ kind: 'ended', id: kept, status: 8, code: null });
        const forget = (limit: number) =>
          store.write(({ messageList }) => messageList.forget({ until: NOW + 1, limit }));
        expect([await forget(4), await forget(4), await forget(4)]).to.deep.equal([4, 2, 0]);
        const left = await store.read(({ messageList }) => messageList.list({ status: undefined, limit: 99 }));
        expect(left.map(({ status }) => status).sort()).to.deep.equal([1, 2, 8]);
      });
    });
  });
}
