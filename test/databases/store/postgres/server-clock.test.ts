import { expect } from 'chai';
import type pg from 'pg';
import { ServerClock } from '../../../../src/store/postgres/server-clock.ts';

describe('ServerClock', () => {
  let stopwatch: number;
  let machine: number;
  let clock: ServerClock;
  beforeEach(() => {
    stopwatch = 500;
    machine = 0;
    clock = new ServerClock(
      () => stopwatch,
      () => stopwatch + machine,
    );
  });

  /** Asks a server that shows `time`, so many milliseconds after the question and before its answer arrives. */
  const measure = (time: number, there = 0, back = 0) => {
    const query = async () => {
      stopwatch += there + back;
      return { rows: [{ time }] };
    };
    return clock.measure({ query } as unknown as pg.Pool);
  };

  it('shows what the server shows, and counts on', async () => {
    await measure(1_000_000);
    expect(clock.now()).to.equal(1_000_000);
    stopwatch += 250.7;
    expect(clock.now()).to.equal(1_000_250);
  });

  it('takes the middle of the first question and its answer', async () => {
    await measure(1_000_000, 10, 10);
    expect(clock.now()).to.equal(1_000_010);
  });

  it('is not moved by a late answer that it explains', async () => {
    await measure(1_000_000);
    await measure(1_000_000, 0, 400);
    expect(clock.now()).to.equal(1_000_400);
    await measure(1_000_800, 400, 0);
    expect(clock.now()).to.equal(1_000_800);
  });

  it('follows a server whose clock was set, or another one, either way', async () => {
    await measure(1_000_000);
    await measure(9_000_000);
    expect(clock.now()).to.equal(9_000_000);
    await measure(1_000_000, 5, 5);
    expect(clock.now()).to.be.within(1_000_000, 1_000_010);
  });

  it('asks again after a minute, and when this machine was suspended or its clock was set', async () => {
    await measure(1_000_000);
    stopwatch += 59_999;
    expect(clock.mustMeasure).to.equal(false);
    stopwatch += 1;
    expect(clock.mustMeasure).to.equal(true);
    for (const movedMs of [5000, -5000]) {
      await measure(1_000_000);
      expect(clock.mustMeasure).to.equal(false);
      machine += movedMs;
      expect(clock.mustMeasure).to.equal(true);
    }
  });

  it('stays as it was if the server does not answer', async () => {
    await measure(1_000_000);
    const query = () => Promise.reject(new Error('gone'));
    await clock.measure({ query } as unknown as pg.Pool).catch(() => {});
    expect(clock.now()).to.equal(1_000_000);
  });
});
