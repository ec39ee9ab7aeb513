import { expect } from 'chai';
import { restartPause } from '../../../src/process/workers/restart-pause.ts';

describe('The pause before a worker is replaced', () => {
  it('doubles while workers keep dying, up to 30 s', () => {
    let pause: number | undefined;
    const pauses = Array.from({ length: 11 }, () => {
      pause = restartPause(pause, 500);
      return pause;
    });
    expect(pauses).to.deep.equal([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('is short again after a worker that lived for a minute', () => {
    expect(restartPause(30_000, 59_999)).to.equal(30_000);
    expect(restartPause(30_000, 60_000)).to.equal(100);
  });
});
