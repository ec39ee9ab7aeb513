import { expect } from 'chai';
import { openStore } from '../../../src/store/open-store.ts';
import { perTest } from '../../support/prepared.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { seededRandom } from '../../support/random/seeded-random.ts';
import { ManualTime } from './manual-time.ts';
import { type Bench, type BenchOptions, outboxBench, SUBMITTED } from './outbox-bench.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const OTP = { mode: 3, priority: 1 } as const;

describe('The outbox worker', () => {
  afterEach(async () => {
    for (const each of opened.splice(0)) await end(each);
  });
  const store = perTest(() => openStore({ kind: 'sqlite', path: ':memory:', timeoutMs: 5000 }));
  const opened: Bench[] = [];

  const open = (options?: BenchOptions) => {
    const bench = outboxBench(store, options);
    opened.push(bench);
    return bench;
  };
  /** Starts it and lets it begin. */
  const start = async (options?: BenchOptions) => {
    const started = open(options);
    started.worker.start('http://127.0.0.1:8080');
    await started.time.settle();
    return started;
  };
  const end = async ({ worker, time }: Bench) => {
    const stopped = worker.stop();
    await time.pass(20 * SECOND);
    await stopped;
  };

  it('sends what is queued, with everything that a gateway needs', async () => {
    const { queue, gateway, time, row } = await start();
    const dlt = { header: 'HOSPTL', dltTemplateId: '1107160000000000001', principalEntityId: '1101000000000000001' };
    const mobile = '+919845012345';
    const id = await queue('नमस्ते', { mobile, encoding: 'UCS-2', mode: 4, expiresOn: time.now + MINUTE, ...dlt });
    const queuedOn = time.now;
    gateway.answer = () => ({ kind: 'submitted', reference: 'ref-1' });
    await time.pass(SECOND);
    const form = { text: 'नमस्ते', encoding: 'UCS-2', flash: true, expiresOn: queuedOn + MINUTE };
    expect(gateway.sent).to.deep.equal([{ id, mobile, ...form, ...dlt }]);
    const accepted = { gateway: 'scripted', gateway_reference: 'ref-1', submitted_on: queuedOn + SECOND };
    expect(await row(id)).to.include({ status: 3, attempts: 1, leased_by: null, ...accepted });
  });

  it('sends at once when it is notified', async () => {
    const { queue, gateway, worker, time } = await start();
    await queue('now');
    worker.wake();
    await time.settle();
    expect(gateway.texts).to.deep.equal(['now']);
  });

  it('logs neither a number nor a text', async () => {
    const { queue, gateway, time, log } = await start({ tries: 1 });
    gateway.answer = ({ text }) => ({ kind: 'failed', code: `9845012345 ${text}` });
    await queue('secret words');
    await time.pass(SECOND);
    expect(log).to.have.length.above(1);
    expect(JSON.stringify(log)).to.not.match(/9845012345|secret/);
  });

  it('sends one-time passwords first, then by age', async () => {
    const { queue, gateway, time, worker } = open({ window: 1 });
    await queue('first');
    time.now += 10;
    await queue('second');
    await queue('third');
    time.now += 10;
    await queue('password', OTP);
    worker.start('');
    await time.pass(2 * SECOND);
    expect(gateway.texts).to.deep.equal(['password', 'first', 'second', 'third']);
  });

  it('sends what was held overnight after newer messages', async () => {
    const { queue, gateway, time, worker } = open({ window: 1 });
    await queue('held', { priority: -1, mode: 1, dueOn: 0 });
    await queue('service');
    worker.start('');
    await time.pass(2 * SECOND);
    expect(gateway.texts).to.deep.equal(['service', 'held']);
  });

  it("has no more messages being sent than the gateway's window allows", async () => {
    const { queue, gateway, time, worker } = open({ window: 3 });
    for (let n = 0; n < 10; n++) await queue(`message ${n}`);
    gateway.answer = () => time.wait(100).then(() => SUBMITTED);
    worker.start('');
    await time.pass(2 * SECOND);
    expect(gateway.sent).to.have.length(10);
    expect(gateway.busiest).to.equal(3);
  });

  it('keeps to the rate', async () => {
    const { queue, gateway, time, worker } = open({ rate: 5 });
    for (let n = 0; n < 30; n++) await queue(`message ${n}`);
    worker.start('');
    const counts: number[] = [];
    for (let second = 0; second < 4; second++) {
      const before = gateway.sent.length;
      await time.pass(SECOND);
      counts.push(gateway.sent.length - before);
    }
    expect(counts[0]).to.be.within(4, 6);
    expect(counts.slice(1)).to.deep.equal([5, 5, 5]);
  });

  describe('with a clock that is a year ahead, and then set back', () => {
    /** Its clock is set back when `ahead` becomes 0. */
    const startAhead = async () => {
      const time = new ManualTime(TEST_NOW);
      const clock = { ahead: 365 * 24 * HOUR };
      return { clock, ...(await start({ time, clock: () => time.now + clock.ahead })) };
    };

    it('leaves no message waiting that was queued, tried or held before', async () => {
      const { clock, gateway, queue, time, row } = await startAhead();
      gateway.answer = ({ text }) => ({ kind: text === 'tried' ? 'failed' : 'unknown', code: 'no' });
      const queued = { now: time.now + clock.ahead, dueOn: time.now + clock.ahead };
      const ids = [await queue('tried', queued), await queue('unanswered', queued)];
      await time.pass(SECOND);
      ids.push(await queue('queued', queued), await queue('held', { ...queued, priority: -1 }));
      gateway.answer = () => SUBMITTED;
      clock.ahead = 0;
      await time.pass(MINUTE);
      expect((await Promise.all(ids.map(row))).map(({ status }) => status)).to.deep.equal([3, 3, 3, 3]);
      expect(gateway.texts.slice(2).toSorted()).to.deep.equal(['held', 'queued', 'tried', 'unanswered']);
    });

    it('sends a promotional message by day that it held for the night', async () => {
      const { clock, queue, time, row } = await startAhead();
      time.now += 3 * HOUR;
      clock.ahead = 0;
      const now = time.now + 12 * HOUR;
      const id = await queue('sale', { mode: 2, priority: -1, now, dueOn: now + 10.5 * HOUR });
      await time.pass(MINUTE);
      expect((await row(id)).status).to.equal(3);
    });

    it('sends nothing twice that it is sending at that moment', async () => {
      const { clock, gateway, queue, time, status } = await startAhead();
      gateway.answer = () => time.wait(50 * SECOND).then(() => SUBMITTED);
      const id = await queue('slow');
      await time.pass(SECOND);
      clock.ahead = 0;
      await time.pass(MINUTE);
      expect(gateway.texts).to.deep.equal(['slow']);
      expect(await status(id)).to.equal(3);
    });
  });

  describe('with promotional messages', () => {
    // 20:59 in Kolkata; the window closes at 21:00 and opens at 10:00.
    const CLOSING = 12 * HOUR + 29 * MINUTE;
    const PROMOTION = { mode: 2, priority: -1 } as const;

    it('sends them by day after newer messages, also to the same number', async () => {
      const { queue, gateway, time, worker } = open({ window: 1 });
      time.now += 2 * HOUR;
      const mobile = '+919845099999';
      await queue('sale', { ...PROMOTION, mobile });
      time.now += 10;
      await queue('service', { mobile });
      worker.start('');
      await time.pass(2 * SECOND);
      expect(gateway.texts).to.deep.equal(['service', 'sale']);
    });

    it('holds one that could not be sent before the window closed until it opens', async () => {
      const { queue, gateway, time, worker, row } = open();
      time.now += CLOSING;
      gateway.answer = () => ({ kind: 'unavailable', code: 'away' });
      const id = await queue('sale', PROMOTION);
      worker.start('');
      await time.pass(2 * MINUTE);
      const tried = gateway.sent.length;
      gateway.answer = () => SUBMITTED;
      const opening = time.now - MINUTE + 13 * HOUR;
      expect((await row(id)).due_on).to.equal(opening);
      await time.sleep(opening - time.now - 1);
      await time.settle();
      expect(gateway.sent).to.have.length(tried);
      await time.pass(MINUTE);
      expect(gateway.sent).to.have.length(tried + 1);
      expect(await row(id)).to.include({ status: 3, attempts: 1 });
    });

    it('leaves those that are held alone until then', async () => {
      const { queue, time, worker, row } = open();
      const held = { ...PROMOTION, mobile: '+919845099999', dueOn: time.now + 90 * MINUTE };
      const ids = [await queue('sale', held), await queue('again', held)];
      worker.start('');
      await time.pass(MINUTE);
      for (const id of ids) expect((await row(id)).due_on).to.equal(held.dueOn);
    });

    it('does not send one outside the window that a stopped process had taken', async () => {
      const { queue, gateway, time, worker, status } = open();
      time.now += CLOSING + MINUTE;
      const id = await queue('sale', PROMOTION);
      await store.write(({ outbox }) =>
        outbox.claim({ now: time.now, holder: 'gone', leasedUntil: time.now + SECOND, limit: 1 }),
      );
      worker.start('');
      await time.pass(MINUTE);
      expect(gateway.sent).to.deep.equal([]);
      expect(await status(id)).to.equal(1);
    });
  });

  it('does not send a message that has expired, and reports it', async () => {
    const { queue, gateway, time, status, events } = await start();
    gateway.answer = () => ({ kind: 'unavailable', code: 'away' });
    const id = await queue('password', { ...OTP, expiresOn: time.now + 10 * MINUTE });
    await time.pass(10 * MINUTE + SECOND);
    gateway.answer = () => SUBMITTED;
    const tried = gateway.sent.length;
    await time.pass(5 * MINUTE);
    expect(gateway.sent).to.have.length(tried);
    expect(await status(id)).to.equal(6);
    expect(events()).to.include('message expired');
  });

  describe('with a gateway that fails', () => {
    it('tries again after growing waits, then gives the message up as dead', async () => {
      const { queue, gateway, time, row, log } = await start({ tries: 4 });
      const times: number[] = [];
      gateway.answer = () => {
        times.push(time.now);
        return { kind: 'failed', code: 'busy' };
      };
      const id = await queue('a');
      await time.pass(MINUTE);
      const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      // Half of 2, 4 and 8 seconds, and up to a second for the next look.
      expect(waits.map((wait) => Math.floor(wait / SECOND))).to.deep.equal([1, 2, 4]);
      expect(await row(id)).to.include({ status: 8, attempts: 4, last_code: 'busy', leased_by: null });
      expect(log.filter(({ event }) => event.startsWith('message dead'))).to.deep.equal([
        { event: 'message dead, its attempts are used up', messageId: id, attempt: 4, code: 'busy' },
      ]);
    });

    it('does not send again what the gateway refuses permanently', async () => {
      const { queue, gateway, time, row } = await start();
      gateway.answer = () => ({ kind: 'refused', code: '0x0B' });
      const id = await queue('a');
      await time.pass(5 * MINUTE);
      expect(gateway.sent).to.have.length(1);
      expect(await row(id)).to.include({ status: 7, last_code: '0x0B' });
    });

    it("keeps one template's messages while the gateway refuses their sender, and sends the others meanwhile", async () => {
      const { queue, gateway, time, row } = await start({ rate: 20 });
      gateway.answer = ({ header }) => (header === 'BAD' ? { kind: 'account', code: 'x' } : SUBMITTED);
      const bad: number[] = [];
      for (let n = 0; n < 10; n++) bad.push(await queue('bad', { header: 'BAD' }));
      const good: number[] = [];
      for (let n = 0; n < 60; n++) {
        good.push(await queue('good'));
        await time.pass(10 * SECOND);
      }
      await time.pass(MINUTE);
      for (const id of good) expect((await row(id)).status).to.equal(3);
      for (const id of bad) expect(await row(id)).to.include({ status: 1, attempts: 0 });
      // Each about every 30 seconds.
      expect(gateway.texts.filter((text) => text === 'bad').length).to.be.below(10 * 40);
    });

    it('gives up single messages that are refused for reasons of their own', async () => {
      const { queue, gateway, time, status } = await start();
      const ids: number[] = [];
      for (const code of ['a', 'b', 'a', 'b']) {
        gateway.answer = () => ({ kind: 'refused', code });
        ids.push(await queue(code));
        await time.pass(SECOND);
      }
      gateway.answer = () => ({ kind: 'refused', code: 'to this number' });
      for (let n = 0; n < 4; n++) ids.push(await queue('again', { mobile: '+919845000001' }));
      await time.pass(10 * SECOND);
      for (const id of ids) expect(await status(id)).to.equal(7);
    });

    it('requeues what an absent gateway did not receive, in order, without counting a try', async () => {
      const { queue, gateway, time, row, worker } = open({ window: 1 });
      gateway.answer = () => ({ kind: 'unavailable', code: 'ECONNREFUSED' });
      const first = await queue('first');
      await queue('second');
      worker.start('');
      await time.pass(10 * MINUTE);
      expect(await row(first)).to.include({ status: 1, attempts: 0, last_code: 'ECONNREFUSED' });
      gateway.answer = () => SUBMITTED;
      gateway.sent.length = 0;
      await time.pass(2 * MINUTE);
      expect(gateway.texts).to.deep.equal(['first', 'second']);
    });

    it('pauses after five failures, except for one probe at a time, at intervals that grow to a minute', async () => {
      const { queue, gateway, time, worker, events } = open({ random: () => 0 });
      const times: number[] = [];
      gateway.answer = () => {
        times.push(time.now);
        return { kind: 'unavailable', code: 'away' };
      };
      for (let n = 0; n < 20; n++) await queue(`message ${n}`);
      worker.start('');
      const began = time.now;
      await time.pass(10 * MINUTE);
      const probes = times.filter((at) => at > began).map((at) => (at - began) / SECOND);
      expect(probes).to.deep.equal([1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363, 423, 483, 543]);
      expect(events().filter((event) => event === 'gateway accepts no messages, probing it')).to.have.length(1);
      gateway.answer = () => SUBMITTED;
      await time.pass(MINUTE);
      expect(events()).to.include('gateway accepts messages again');
      const [counted] = await store.read(({ messageList }) => messageList.countByStatus({}));
      expect(counted).to.include({ status: 3, count: 20 });
    });

    it('probes with another message after one that fails because of its own content', async () => {
      const { queue, gateway, time, row, worker } = open({ window: 1 });
      gateway.answer = ({ text }) => (text === 'bad' ? { kind: 'failed', code: 'x' } : SUBMITTED);
      const bad = [];
      for (let n = 0; n < 5; n++) bad.push(await queue('bad'));
      const last = await queue('good');
      for (let n = 0; n < 5; n++) await queue('bad', { dueOn: time.now - 1 });
      worker.start('');
      await time.pass(MINUTE);
      expect((await row(last)).status).to.equal(3);
    });

    it('is not blocked for ever by one message for which the gateway says that it accepts nothing', async () => {
      const { queue, gateway, time, row, worker } = open({ random: seededRandom(1) });
      gateway.answer = ({ text }) => (text === 'bad' ? { kind: 'unavailable', code: 'http-404' } : SUBMITTED);
      const bad = await queue('bad');
      worker.start('');
      await time.pass(MINUTE);
      const good = await queue('good');
      await time.pass(HOUR);
      expect((await row(good)).status).to.equal(3);
      expect(await row(bad)).to.include({ status: 1, attempts: 0 });
    });

    it('does not count the probes as tries', async () => {
      const { queue, gateway, time, row } = await start({ tries: 6 });
      gateway.answer = () => ({ kind: 'failed', code: 'down' });
      const id = await queue('a');
      await time.pass(HOUR);
      expect(gateway.sent.length).to.be.above(20);
      expect(await row(id)).to.include({ status: 1, attempts: 5 });
    });

    it('probes at once when the gateway says that it is connected', async () => {
      const { queue, gateway, time } = await start();
      gateway.answer = () => ({ kind: 'unavailable', code: 'away' });
      await queue('a');
      await time.pass(10 * MINUTE);
      gateway.answer = () => SUBMITTED;
      gateway.sent.length = 0;
      gateway.dependencies?.report('connected', undefined);
      await time.settle();
      expect(gateway.texts).to.deep.equal(['a']);
    });

    it('treats a gateway that rejects, contrary to its contract, as one that did not answer', async () => {
      const { queue, gateway, time, row, events } = await start();
      gateway.answer = () => Promise.reject(new Error('9845012345'));
      const id = await queue('a');
      await time.pass(SECOND);
      expect(await row(id)).to.include({ status: 2, last_code: 'gateway-failed' });
      expect(events()).to.include('gateway failed');
    });
  });

  describe('with a message that nobody answered for', () => {
    it('waits for a receipt, and does not send it again if one arrives', async () => {
      const { queue, gateway, time, status } = await start();
      gateway.answer = () => ({ kind: 'unknown', code: 'timeout' });
      const id = await queue('a');
      await time.pass(20 * SECOND);
      expect(await status(id)).to.equal(2);
      await gateway.receipt({ messageId: id });
      await time.pass(5 * MINUTE);
      expect(gateway.sent).to.have.length(1);
      expect(await status(id)).to.equal(4);
    });

    it('ends it at the end of its validity, not at the end of the wait', async () => {
      const { queue, gateway, time, status } = await start();
      gateway.answer = () => ({ kind: 'unknown', code: 'timeout' });
      const id = await queue('password', { ...OTP, expiresOn: time.now + 10 * MINUTE });
      await time.pass(10 * MINUTE + 2 * SECOND);
      expect(await status(id)).to.equal(6);
    });

    it('sends it again if none arrives, as another try', async () => {
      const { queue, gateway, time, row, events } = await start();
      gateway.answer = () => ({ kind: 'unknown', code: 'timeout' });
      const id = await queue('a');
      await time.pass(SECOND);
      gateway.answer = () => SUBMITTED;
      await time.pass(28 * SECOND);
      expect(gateway.sent).to.have.length(1);
      await time.pass(5 * SECOND);
      expect(gateway.sent).to.have.length(2);
      expect(await row(id)).to.include({ status: 3, attempts: 2, takeovers: 0 });
      expect(events()).to.not.include('message taken over');
    });

    it('sends once more what was answered in words that nobody understands, then keeps it and says so', async () => {
      const { queue, gateway, time, row, events } = await start();
      gateway.answer = () => ({ kind: 'not-understood', code: 'not-understood:html' });
      const id = await queue('a');
      for (let minutes = 0; minutes < 60; minutes++) await time.sleep(MINUTE);
      expect(gateway.sent).to.have.length(2);
      expect(await row(id)).to.include({ status: 8, last_code: 'not-understood:html' });
      expect(events()).to.include.members([
        'message sent, answer not understood',
        'message dead, its attempts are used up',
      ]);
      await gateway.receipt({ messageId: id });
      expect(await row(id)).to.include({ status: 4 });
    });

    it('gives up after the last try', async () => {
      const { queue, gateway, time, row } = await start({ tries: 1 });
      gateway.answer = () => ({ kind: 'unknown', code: 'timeout' });
      const id = await queue('a');
      await time.pass(MINUTE);
      expect(await row(id)).to.include({ status: 8, attempts: 1, last_code: 'timeout' });
    });
  });
});
