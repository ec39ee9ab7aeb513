import { expect } from 'chai';
import { createLog } from '../../src/log/log.ts';
import { DatabaseClock } from '../../src/process/database-clock.ts';
import type { Store } from '../../src/store/store.ts';

/** Clocks that a test sets; the database's answers take `took` milliseconds of the monotonic clock. */
function clocks(database: number | undefined) {
  const now = { own: 1_000_000, watch: 0, database, took: 0 };
  const lines: string[] = [];
  const log = createLog('info', Date.now, { write: (line: string) => void lines.push(line) });
  const clock = new DatabaseClock({ clock: () => now.own, stopwatch: () => now.watch, log });
  const store: Pick<Store, 'time'> = {
    time: async () => {
      now.watch += now.took / 2;
      const time = now.database;
      now.watch += now.took / 2;
      return time;
    },
  };
  return { now, clock, store: store as Store, messages: () => lines.map((line) => JSON.parse(line)) };
}

describe('The clock of the database', () => {
  it('is used, whatever the process’s own clock shows', async () => {
    const { now, clock, store } = clocks(880_000);
    await clock.follow(store);
    clock.stop();
    expect(clock.now()).to.equal(880_000);
    now.watch += 5000;
    now.own += 600_000;
    expect(clock.now()).to.equal(885_000);
  });

  it('is taken to have been read in the middle of the query', async () => {
    const { now, clock, store } = clocks(880_000);
    now.took = 100;
    await clock.follow(store);
    clock.stop();
    expect(clock.now()).to.equal(880_050);
  });

  it('is the process’s own if the database has none', async () => {
    const { now, clock, store, messages } = clocks(undefined);
    await clock.follow(store);
    now.own += 7;
    expect(clock.now()).to.equal(1_000_007);
    expect(messages()).to.deep.equal([]);
  });

  it('is reported to differ if it is more than a second off', async () => {
    for (const [database, lines] of [
      [999_000, 0],
      [998_999, 1],
      [1_001_001, 1],
    ] as const) {
      const { clock, store, messages } = clocks(database);
      await clock.follow(store);
      clock.stop();
      expect(messages(), String(database)).to.have.length(lines);
      expect(clock.difference).to.equal(1_000_000 - database);
    }
  });
});
