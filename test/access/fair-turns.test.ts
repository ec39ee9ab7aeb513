import { expect } from 'chai';
import { FairTurns } from '../../src/access/fair-turns.ts';
import type { ServiceError } from '../../src/vocabulary/errors.ts';

describe('Turns', () => {
  let done: string[];
  let release: (() => void)[];
  let turns: FairTurns;
  beforeEach(() => {
    done = [];
    release = [];
    turns = new FairTurns({ mostAtOnce: 1, mostWaiting: 4 });
  });
  const take = (name: string, network: string, isProved = false): Promise<void> =>
    turns.take({ network, isProved }, async () => {
      done.push(name);
      await new Promise<void>((resolve) => release.push(resolve));
    });
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) {
      release.shift()?.();
      await new Promise(setImmediate);
    }
  };

  it('rotate among the waiting networks, however many requests one of them makes', async () => {
    const all = [take('a1', 'a'), take('a2', 'a'), take('a3', 'a'), take('b1', 'b'), take('c1', 'c')];
    await settle();
    await Promise.all(all);
    expect(done).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('go every other time to networks that have verified a secret', async () => {
    const all = [take('a1', 'a'), take('a2', 'a'), take('b1', 'b'), take('d1', 'd', true), take('d2', 'd', true)];
    await settle();
    await Promise.all(all);
    expect(done).to.deep.equal(['a1', 'd1', 'a2', 'd2', 'b1']);
  });

  it('are taken from the network that fills the queue, beginning with the latest', async () => {
    const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => take(name, 'a'));
    const refused: Promise<ServiceError> = (all[4] as Promise<void>).then(
      () => expect.fail('it had a turn'),
      (error) => error,
    );
    all.push(take('b1', 'b'));
    expect(await refused).to.have.property('code', 'TooManyRequests');
    await take('a6', 'a').then(
      () => expect.fail('it had a turn'),
      () => {},
    );
    await settle();
    await Promise.allSettled(all);
    expect(done).to.deep.equal(['a1', 'a2', 'b1', 'a3', 'a4']);
  });

  it('continue after a task that failed', async () => {
    const failing = turns.take({ network: 'a', isProved: false }, async () => {
      throw new Error('broken');
    });
    const next = take('a2', 'a');
    await failing.catch(() => {});
    await settle();
    await next;
    expect(done).to.deep.equal(['a2']);
  });
});
