import { expect } from 'chai';
import type { SendFate } from '../../../src/messages/gateways/gateway.ts';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import type { Store } from '../../../src/store/store.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../support/database/temporary-database.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { ManualTime } from './manual-time.ts';
import { type Bench, type BenchOptions, outboxBench, SUBMITTED } from './outbox-bench.ts';

const SECOND = 1000;
const LEASE = 30 * SECOND;
const NEVER = new Promise<SendFate>(() => {});

describe('The outbox of several processes', () => {
  let database: TemporaryDatabase;
  let time: ManualTime;
  const benches: Bench[] = [];
  const killed = new Set<Bench>();

  /** A worker with its own store, as in another process. */
  async function open(options: BenchOptions = {}, change: (store: Store) => Store = (store) => store): Promise<Bench> {
    const holder = `process ${benches.length + 1}`;
    const bench = outboxBench(change(await database.open()), { time, leaseMs: LEASE, holder, ...options });
    benches.push(bench);
    return bench;
  }
  async function start(options: BenchOptions = {}): Promise<Bench> {
    const bench = await open(options);
    bench.worker.start('');
    await time.settle();
    return bench;
  }
  const stop = async ({ worker }: Bench) => {
    const stopped = worker.stop();
    await time.pass(20 * SECOND);
    await stopped;
  };
  /** Like a process that is killed: it does nothing more. */
  const kill = (bench: Bench) => {
    killed.add(bench);
    const { store, gateway } = bench;
    store.write = () => NEVER as never;
    store.read = () => NEVER as never;
    gateway.answer = () => NEVER;
  };

  /** From now on its gateway answers nothing until the returned function is called with the fate. */
  const hold = ({ gateway }: Bench) => {
    const { promise, resolve } = Promise.withResolvers<SendFate>();
    gateway.answer = () => promise;
    return resolve;
  };
  /** Its database is away until the returned function is called. */
  const takeDatabase = ({ store }: Bench) => {
    const { read, write } = store;
    store.read = () => Promise.reject(new ServiceError('Unavailable'));
    store.write = () => Promise.reject(new ServiceError('Unavailable'));
    return () => Object.assign(store, { read, write });
  };
  /** The database refuses rows for which the condition holds. */
  const refuseRows = (condition: string) => {
    const file = openFile(database.file);
    file.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON message WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'no'); END`);
    file.close();
  };

  beforeEach(() => {
    database = temporaryDatabase();
    time = new ManualTime(TEST_NOW);
  });
  afterEach(async () => {
    for (const bench of benches.splice(0)) if (!killed.has(bench)) await stop(bench);
    await database.dispose();
  });

  it('is processed by one of them, and each message is sent once', async () => {
    const [first, second] = [await start({ window: 4 }), await start({ window: 4 })];
    for (let n = 0; n < 50; n++) await (n % 2 === 0 ? first : second).queue(`message ${n}`);
    for (const { worker } of [first, second]) worker.wake();
    await time.pass(5 * SECOND);
    expect([first, second].map(({ gateway }) => gateway.opened)).to.deep.equal([1, 0]);
    expect(first.gateway.texts.sort()).to.deep.equal(Array.from({ length: 50 }, (_, n) => `message ${n}`).sort());
    expect(second.gateway.sent).to.deep.equal([]);
  });

  it("moves to the next process when the first stops, at that process's next check", async () => {
    const [first, second] = [await start(), await start()];
    const stopped = first.worker.stop();
    await time.pass(0);
    await stopped;
    await second.queue('a');
    await time.pass(2 * SECOND);
    expect(first.gateway.closed).to.equal(1);
    expect(second.gateway.texts).to.deep.equal(['a']);
  });

  it('moves to the next process when the first is killed, after its lease, with the messages being sent', async () => {
    const [first, second] = [await start(), await start()];
    first.gateway.answer = () => NEVER;
    const id = await first.queue('a');
    await time.pass(2 * SECOND);
    expect(first.gateway.texts).to.deep.equal(['a']);
    kill(first);
    await time.pass(LEASE / 2);
    expect(second.gateway.opened).to.equal(0);
    await time.pass(LEASE);
    expect(second.gateway.texts).to.deep.equal(['a']);
    expect(await second.row(id)).to.include({ status: 3, attempts: 2, unanswered: 1, takeovers: 1 });
    expect(second.log).to.deep.include({ event: 'message taken over', messageId: id, attempt: 1 });
  });

  it('moves to the next process when the first was killed while the clock was ahead', async () => {
    kill(await start({ clock: () => time.now + 100 * LEASE }));
    const second = await start();
    await second.queue('a');
    await time.pass(LEASE - SECOND);
    expect(second.gateway.opened).to.equal(0);
    await time.pass(3 * SECOND);
    expect(second.gateway.texts).to.deep.equal(['a']);
  });

  it('stays with the first process when the clock is set back', async () => {
    let ahead = 100 * LEASE;
    const clock = () => time.now + ahead;
    const [first, second] = [await start({ clock }), await start({ clock })];
    ahead = 0;
    await first.queue('a');
    await time.pass(3 * LEASE);
    expect(first.gateway.texts).to.deep.equal(['a']);
    expect(second.gateway.opened).to.equal(0);
  });

  it('listens for receipts for the length of a lease before it takes over messages of processes that were all killed', async () => {
    const first = await start();
    first.gateway.answer = ({ text }) => (text === 'unanswered' ? { kind: 'unknown', code: 'timeout' } : NEVER);
    const ids = [await first.queue('settled'), await first.queue('a'), await first.queue('unanswered')];
    await time.pass(2 * SECOND);
    kill(first);
    await time.sleep(10 * LEASE);
    const second = await start();
    await second.queue('new');
    await time.pass(LEASE - SECOND);
    expect(second.gateway.texts).to.deep.equal(['new']);
    await second.worker.receipts.receive({
      messageId: ids[0],
      reference: undefined,
      status: 'submitted',
      code: undefined,
    });
    await time.pass(2 * LEASE);
    expect(second.gateway.texts).to.deep.equal(['new', 'a', 'unanswered']);
    expect(await Promise.all(ids.map(second.status))).to.deep.equal([3, 3, 3]);
  });

  it('does not send again what a receipt has settled meanwhile', async () => {
    const [first, second] = [await start(), await start()];
    first.gateway.answer = () => NEVER;
    const id = await first.queue('a');
    await time.pass(2 * SECOND);
    kill(first);
    const code = undefined;
    expect(
      await second.worker.receipts.receive({ messageId: id, reference: undefined, status: 'delivered', code }),
    ).to.equal(true);
    await time.pass(2 * LEASE);
    expect(second.gateway.opened).to.equal(1);
    expect(second.gateway.sent).to.deep.equal([]);
    expect(await second.status(id)).to.equal(4);
  });

  it('does not send messages taken over that have expired or used up their tries', async () => {
    const [first, second] = [await start({ tries: 1 }), await start({ tries: 1 })];
    first.gateway.answer = () => NEVER;
    const expiring = await first.queue('password', { mode: 3, priority: 1, expiresOn: time.now + LEASE });
    const tried = await first.queue('tried');
    await time.pass(2 * SECOND);
    expect(first.gateway.sent).to.have.length(2);
    kill(first);
    await time.pass(2 * LEASE);
    expect(second.gateway.opened).to.equal(1);
    expect(second.gateway.sent).to.deep.equal([]);
    expect(await second.row(expiring)).to.include({ status: 6, leased_by: null });
    expect(await second.row(tried)).to.include({ status: 8, attempts: 2, last_code: 'taken-over' });
    expect(second.log).to.deep.include({ event: 'message expired', messageId: expiring });
    expect(second.log).to.deep.include({
      event: 'message dead, its attempts are used up',
      messageId: tried,
      attempt: 2,
    });
  });

  it('keeps messages being sent for longer than the lease, as long as the process lives', async () => {
    const [first, second] = [await start(), await start()];
    const settle = hold(first);
    const id = await first.queue('slow');
    await time.pass(3 * LEASE);
    settle(SUBMITTED);
    await time.pass(SECOND);
    expect(await first.row(id)).to.include({ status: 3, attempts: 1 });
    expect([first, second].map(({ gateway }) => gateway.sent.length)).to.deep.equal([1, 0]);
  });

  it('is not written to by a process that was stopped for longer than the lease', async () => {
    const [first, second] = [await start(), await start()];
    const settle = hold(first);
    second.gateway.answer = () => ({ kind: 'submitted', reference: 'second' });
    const id = await first.queue('a');
    await time.pass(2 * SECOND);
    // A process that gets no CPU time does nothing.
    const { read, write } = first.store;
    let resume: () => void = () => {};
    const stopped = new Promise<void>((resolve) => {
      resume = resolve;
    });
    first.store.read = (work) => stopped.then(() => read.call(first.store, work)) as never;
    first.store.write = (work, keys) => stopped.then(() => write.call(first.store, work, keys)) as never;
    await time.pass(2 * LEASE);
    expect(second.gateway.sent).to.have.length(1);
    settle({ kind: 'submitted', reference: 'first' });
    resume();
    await time.pass(3 * SECOND);
    expect(await second.row(id)).to.include({ status: 3, gateway_reference: 'second' });
    expect(first.events()).to.include.members([
      'message settled by a receipt or another process',
      'another process sends the messages',
    ]);
    expect(first.gateway.closed).to.equal(1);
  });

  it('releases what it claimed in a commit whose success it never learned of', async () => {
    const bench = await open({}, (store) => store);
    const { write } = bench.store;
    bench.worker.start('');
    await time.settle();
    const id = await bench.queue('a');
    bench.store.write = async (work, keys) => {
      await write.call(bench.store, work, keys);
      bench.store.write = write;
      throw new ServiceError('Unavailable');
    };
    await time.pass(2 * SECOND);
    expect(await bench.status(id)).to.equal(2);
    expect(bench.gateway.sent).to.deep.equal([]);
    await time.pass(2 * LEASE);
    expect(await bench.status(id)).to.equal(3);
    expect(bench.gateway.sent).to.have.length(1);
  });

  it('loses no fate while the database is away', async () => {
    const bench = await start();
    const { write } = bench.store;
    const id = await bench.queue('a');
    bench.gateway.answer = () => {
      bench.store.write = () => Promise.reject(new ServiceError('Unavailable'));
      return SUBMITTED;
    };
    await time.pass(10 * SECOND);
    expect(await bench.status(id)).to.equal(2);
    expect(bench.events().filter((event) => event === 'outbox failed')).to.have.length(1);
    bench.store.write = write;
    await time.pass(2 * SECOND);
    expect(await bench.row(id)).to.include({ status: 3, attempts: 1 });
    expect(bench.events()).to.include('outbox works again');
    expect(bench.gateway.sent).to.have.length(1);
  });

  it('loses no other fate, and sends nothing twice, if the database refuses one', async () => {
    const [first, second] = [await start(), await start()];
    first.gateway.answer = ({ text }) => ({ kind: 'submitted', reference: text });
    const ids = [await first.queue('1'), await first.queue('refused'), await first.queue('2')];
    refuseRows("NEW.gateway_reference = 'refused'");
    await time.pass(5 * LEASE);
    expect([...first.gateway.texts, ...second.gateway.texts].sort()).to.deep.equal(['1', '2', 'refused']);
    const rows = await Promise.all(ids.map(first.row));
    expect(rows.map((row) => row.gateway_reference)).to.deep.equal(['1', null, '2']);
    expect(rows.map((row) => row.status)).to.deep.equal([3, 3, 3]);
  });

  it('logs a failure that lasts again every five minutes', async () => {
    const bench = await start();
    takeDatabase(bench);
    await time.pass(11 * 60 * SECOND);
    expect(bench.events().filter((event) => event === 'outbox failed')).to.have.length(3);
  });

  it('drops a receipt that the database refuses after a minute, and not those that wait with it', async () => {
    const bench = await start();
    refuseRows("NEW.last_code = 'refused'");
    const ids = [await bench.queue('a'), await bench.queue('b')];
    await time.pass(2 * SECOND);
    const refused = bench.gateway.receipt({ messageId: ids[0] ?? 0, code: 'refused' });
    expect(await Promise.resolve(refused).catch((error) => error)).to.be.instanceOf(Error);
    await bench.gateway.receipt({ messageId: 99 });
    await time.pass(SECOND);
    await bench.gateway.receipt({ messageId: ids[1] ?? 0 });
    expect(await Promise.all(ids.map(bench.status))).to.deep.equal([3, 4]);
    await time.pass(2 * 60 * SECOND);
    expect(bench.events().filter((event) => event === 'receipt of an unknown message')).to.have.length(2);
    expect(bench.events()).to.not.include('outbox failed');
  });

  it('leaves the first process its messages after the database was away for longer than the lease', async () => {
    const [first, second] = [await start(), await start()];
    const settle = hold(first);
    const id = await first.queue('a');
    await time.pass(2 * SECOND);
    const back = [first, second].map(takeDatabase);
    await time.pass(SECOND);
    settle(SUBMITTED);
    await time.pass(2 * LEASE);
    // The second process notices first.
    back[1]?.();
    await time.pass(2 * SECOND);
    back[0]?.();
    await time.pass(2 * LEASE);
    expect(await first.row(id)).to.include({ status: 3, attempts: 1, takeovers: 0 });
    expect([first, second].map(({ gateway }) => gateway.sent.length)).to.deep.equal([1, 0]);
  });

  it('is not sent by a process that was stopped between its claim and the submission for longer than the lease', async () => {
    const [first, second] = [await start(), await start()];
    const { write } = first.store;
    const id = await first.queue('a');
    let takenMeanwhile: string[] = [];
    first.store.write = async (work, keys) => {
      const value = await write.call(first.store, work, keys);
      if (first.store.write !== write && (await first.status(id)) === 2) {
        first.store.write = write;
        for (let turn = 0; turn < 200 && second.gateway.sent.length === 0; turn++) {
          time.now += SECOND;
          second.worker.wake();
          await time.settle();
        }
        takenMeanwhile = second.gateway.texts;
      }
      return value as never;
    };
    first.worker.wake();
    for (let turn = 0; turn < 50 && first.store.write !== write; turn++) await time.settle();
    for (let turn = 0; turn < 50 && takenMeanwhile.length === 0; turn++) await time.settle();
    await time.pass(3 * SECOND);
    expect(takenMeanwhile).to.deep.equal(['a']);
    expect(first.gateway.sent).to.deep.equal([]);
    expect(await first.row(id)).to.include({ status: 3, takeovers: 1 });
  });

  it('loses no fate that arrives while earlier ones are being written', async () => {
    const bench = await start();
    const { write } = bench.store;
    const [first, second] = [await bench.queue('first'), await bench.queue('second')];
    let settle: (fate: SendFate) => void = () => {};
    bench.gateway.answer = ({ id }) =>
      id === first
        ? SUBMITTED
        : new Promise((resolve) => {
            settle = resolve;
          });
    await time.pass(0);
    bench.store.write = async (work, keys) => {
      const value = await write.call(bench.store, work, keys);
      // During the write that records the first one.
      if (bench.gateway.sent.length === 2) settle(SUBMITTED);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      return value as never;
    };
    await time.pass(5 * SECOND);
    expect(bench.gateway.sent).to.have.length(2);
    expect([await bench.status(first), await bench.status(second)]).to.deep.equal([3, 3]);
  });

  describe('at shutdown', () => {
    it('waits for messages being sent, and takes no new ones', async () => {
      const bench = await start({ window: 1 });
      bench.gateway.answer = () => time.wait(2 * SECOND).then(() => SUBMITTED);
      const [first, second] = [await bench.queue('first'), await bench.queue('second')];
      await time.pass(SECOND);
      const stopped = bench.worker.stop();
      await time.pass(3 * SECOND);
      await stopped;
      expect(bench.gateway.texts).to.deep.equal(['first']);
      expect(await bench.status(first)).to.equal(3);
      expect(await bench.row(second)).to.include({ status: 1, attempts: 0 });
      expect(time.pending).to.equal(0);
    });

    it('ends after four seconds, and leaves unanswered messages marked as such', async () => {
      const bench = await start();
      const settle = hold(bench);
      const id = await bench.queue('a');
      await time.pass(SECOND);
      const stopped = bench.worker.stop();
      await time.pass(4 * SECOND);
      await stopped;
      expect(await bench.row(id)).to.include({ status: 2, leased_by: null, last_code: 'stopped' });
      settle(SUBMITTED);
      await time.pass(SECOND);
      expect(bench.events()).to.not.include('message submitted');
    });

    it('closes the gateway even if the database is away', async () => {
      const bench = await start();
      await bench.queue('a');
      bench.gateway.answer = () => time.wait(2 * SECOND).then(() => SUBMITTED);
      await time.pass(SECOND);
      bench.store.write = () => Promise.reject(new ServiceError('Unavailable'));
      const stopped = bench.worker.stop();
      await time.pass(10 * SECOND);
      await stopped;
      expect(bench.gateway.closed).to.equal(1);
      expect(bench.events()).to.include('outbox not closed cleanly');
      expect(time.pending).to.equal(0);
    });

    it('releases messages that it had just taken', async () => {
      const bench = await start();
      const id = await bench.queue('a');
      const { write } = bench.store;
      let stopped: Promise<void> | undefined;
      bench.store.write = async (work, keys) => {
        const value = await write.call(bench.store, work, keys);
        stopped ??= bench.worker.stop();
        return value as never;
      };
      await time.pass(5 * SECOND);
      await stopped;
      expect(bench.gateway.sent).to.deep.equal([]);
      expect(await bench.row(id)).to.include({ status: 1, attempts: 0, leased_by: null });
    });

    it('may be stopped twice, and without having been started', async () => {
      const bench = await open();
      await Promise.all([bench.worker.stop(), bench.worker.stop()]);
    });
  });

  describe('with receipts', () => {
    it('accepts one that arrives before the submission is recorded', async () => {
      const bench = await start();
      bench.gateway.answer = async ({ id }) => {
        await bench.gateway.receipt({ messageId: id });
        return { kind: 'submitted', reference: 'ref-1' };
      };
      const id = await bench.queue('a');
      await time.pass(2 * SECOND);
      expect(await bench.row(id)).to.include({ status: 4, gateway_reference: 'ref-1', leased_by: null });
    });

    it("accepts one with the gateway's id that arrives before that id is known", async () => {
      const bench = await start();
      bench.gateway.answer = async () => {
        await bench.gateway.receipt({ reference: 'ref-1', status: 'failed', code: 'UNDELIV' });
        return { kind: 'submitted', reference: 'ref-1' };
      };
      const id = await bench.queue('a');
      await time.pass(3 * SECOND);
      expect(await bench.row(id)).to.include({ status: 5, last_code: 'UNDELIV' });
    });

    it('drops one of an unknown message after a minute, and reports it', async () => {
      const bench = await start();
      await bench.gateway.receipt({ reference: 'nobody', code: '9845012345' });
      await time.pass(55 * SECOND);
      expect(bench.events()).to.not.include('receipt of an unknown message');
      await time.pass(10 * SECOND);
      const line = bench.log.find(({ event }) => event === 'receipt of an unknown message');
      expect(line).to.include({ reference: 'nobody', code: undefined });
    });

    it('looks up a hundred that wait per second, so that those of other programs keep the outbox from nobody', async () => {
      const bench = await start();
      bench.gateway.answer = async () => {
        for (let other = 0; other < 350; other++) await bench.gateway.receipt({ reference: `other ${other}` });
        await bench.gateway.receipt({ reference: 'ref-1' });
        return { kind: 'submitted', reference: 'ref-1' };
      };
      const id = await bench.queue('a');
      const statuses: number[] = [];
      while (statuses.at(-1) !== 4 && statuses.length < 20) {
        await time.pass(SECOND);
        statuses.push(await bench.status(id));
      }
      expect(statuses.at(-1)).to.equal(4);
      expect(statuses.filter((status) => status === 3)).to.have.length.within(2, 5);
    });

    it('keeps one that arrives while the database is away', async () => {
      const bench = await start();
      const id = await bench.queue('a');
      await time.pass(2 * SECOND);
      const { write } = bench.store;
      bench.store.write = () => Promise.reject(new ServiceError('Unavailable'));
      const refused = await Promise.resolve(bench.gateway.receipt({ messageId: id })).catch((error) => error);
      // So that the gateway sends it again, if it can.
      expect(refused).to.be.instanceOf(ServiceError);
      bench.store.write = write;
      await time.pass(2 * SECOND);
      expect(await bench.status(id)).to.equal(4);
    });
  });
});
