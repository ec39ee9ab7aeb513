import { expect } from 'chai';
import { InterruptiblePause } from '../../src/sms/interruptible-pause.ts';
import { ManualTime } from './manual-time.ts';

describe('A pause that may be interrupted', () => {
  const begin = () => {
    const time = new ManualTime(0);
    return { time, pause: new InterruptiblePause(time.timers) };
  };
  /** When a promise resolved; undefined if it has not. */
  const ended = (time: ManualTime, work: Promise<void>) => {
    const state: { at?: number } = {};
    void work.then(() => {
      state.at = time.now;
    });
    return state;
  };

  it('lasts as long as it is told', async () => {
    const { time, pause } = begin();
    const state = ended(time, pause.wait(500));
    await time.pass(499);
    expect(state.at).to.equal(undefined);
    await time.pass(1);
    expect(state.at).to.equal(500);
  });

  it('ends when it is interrupted, and leaves no timer', async () => {
    const { time, pause } = begin();
    const state = ended(time, pause.wait(500));
    await time.pass(100);
    pause.interrupt();
    await time.settle();
    expect(state.at).to.equal(100);
    expect(time.pending).to.equal(0);
  });

  it('does not begin after an interruption that came before, once', async () => {
    const { time, pause } = begin();
    pause.interrupt();
    await pause.wait(500);
    expect(time.now).to.equal(0);
    const state = ended(time, pause.wait(500));
    await time.pass(499);
    expect(state.at).to.equal(undefined);
  });

  it('waits for work at most so long, and leaves no timer', async () => {
    const { time, pause } = begin();
    await pause.atMost(500, Promise.resolve());
    expect(time.pending).to.equal(0);
    const state = ended(time, pause.atMost(500, new Promise(() => {})));
    await time.pass(500);
    expect(state.at).to.equal(500);
  });
});
