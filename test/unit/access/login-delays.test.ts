import { expect } from 'chai';
import { LoginDelays } from '../../../src/access/login-delays.ts';
import type { ServiceError } from '../../../src/vocabulary/errors.ts';
import { subscriberNetwork } from '../../../src/vocabulary/ip-address.ts';

describe('Failed logins', () => {
  let now: number;
  let pauses: number[];
  let delays: LoginDelays;
  beforeEach(() => {
    now = 1_000_000;
    pauses = [];
    delays = new LoginDelays({
      stopwatch: () => now,
      pause: async (milliseconds) => void pauses.push(milliseconds),
    });
  });
  let takeBack: () => void;
  const attempts = async (count: number, address = '10.0.0.1', name = 'desk') => {
    for (let i = 0; i < count; i++) takeBack = await delays.begin(subscriberNetwork(address), name);
    return pauses.splice(0);
  };

  let release: () => void;
  /** Its pauses last until `release` is called. */
  const holding = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    return new LoginDelays({
      stopwatch: () => now,
      pause: (milliseconds) => {
        pauses.push(milliseconds);
        return promise;
      },
    });
  };
  const codeOf = (attempt: Promise<unknown>): Promise<string | undefined> =>
    attempt.then(
      () => undefined,
      (error: ServiceError) => error.code,
    );

  it('delay the next one more and more, up to five seconds', async () => {
    expect(await attempts(10)).to.deep.equal([250, 500, 1000, 2000, 4000, 5000, 5000]);
  });

  it('count by address for any name, and by name for any address', async () => {
    await attempts(4);
    expect(await attempts(1, '10.0.0.1', 'other')).to.deep.equal([500]);
    expect(await attempts(1, '10.0.0.2', 'desk')).to.deep.equal([500]);
    expect(await attempts(1, '10.0.0.3', 'third')).to.deep.equal([]);
  });

  it('delay a network that has proved the name within a day only if they were its own for that name', async () => {
    delays.rememberProof('10.0.0.9', 'desk');
    await attempts(10);
    await attempts(10, '10.0.0.9', 'nobody');
    expect(await attempts(4, '10.0.0.9')).to.deep.equal([250]);
    expect(await attempts(1, '10.0.0.9', 'nobody')).to.deep.equal([5000]);
    now += 24 * 3_600_000 + 1;
    await attempts(4);
    expect(await attempts(1, '10.0.0.9')).to.deep.equal([500]);
  });

  it('of a network that has proved the name do not delay the same name elsewhere, nor other names there', async () => {
    delays.rememberProof('10.0.0.9', 'desk');
    await attempts(10, '10.0.0.9');
    expect(await attempts(3)).to.deep.equal([]);
    expect(await attempts(3, '10.0.0.9', 'other')).to.deep.equal([]);
  });

  it('count for the whole network of an IPv6 subscriber', async () => {
    for (let i = 0; i < 4; i++) await attempts(1, `2001:db8:0:1::${i + 1}`, `name ${i}`);
    expect(await attempts(1, '2001:db8:0:1:ffff::', 'another')).to.deep.equal([500]);
    expect(await attempts(1, '2001:db8:0:2::1', 'yet another')).to.deep.equal([]);
  });

  it('count as soon as they begin, so that simultaneous attempts do not avoid the delay', async () => {
    await Promise.all(Array.from({ length: 6 }, () => delays.begin('10.0.0.1', 'desk')));
    expect(pauses).to.deep.equal([250, 500, 1000]);
  });

  it('are forgotten after 15 minutes', async () => {
    await attempts(5);
    now += 15 * 60_000;
    expect(await attempts(1)).to.deep.equal([1000]);
    now += 15 * 60_000 + 1;
    expect(await attempts(1)).to.deep.equal([]);
  });

  it('are not forgotten when somebody else logs in meanwhile', async () => {
    await attempts(5);
    await attempts(1);
    takeBack();
    expect(await attempts(1)).to.deep.equal([1000]);
  });

  it('leave nothing behind for a caller that never failed', async () => {
    for (let i = 0; i < 20; i++) {
      expect(await attempts(1)).to.deep.equal([]);
      takeBack();
    }
  });

  for (const [title, most, addressOf] of [
    ['do not lock anybody out, nor hold more than 200 connections', 200, (n: number) => `10.0.0.${n}`],
    ['hold no more than 5 connections of one address', 5, () => '10.0.0.1'],
    ['hold no more than 5 connections of one IPv6 subscriber', 5, (n: number) => `2001:db8:0:1::${n}`],
  ] as const) {
    it(title, async () => {
      const slow = holding();
      const waiting = Array.from({ length: 3 + most }, (_, n) => slow.begin(subscriberNetwork(addressOf(n)), 'desk'));
      const refused: ServiceError = await slow.begin(subscriberNetwork(addressOf(250)), 'desk').then(
        () => expect.fail('it waits'),
        (error) => error,
      );
      expect(refused).to.include({ code: 'TooManyRequests', retryAfter: 5 });
      release();
      await Promise.all(waiting);
      await slow.begin(subscriberNetwork(addressOf(250)), 'desk');
    });
  }

  it('from many unknown addresses leave room for a network that has verified a secret', async () => {
    const slow = holding();
    const waiting = Array.from({ length: 203 }, (_, n) => slow.begin(`10.0.0.${n}`, 'desk'));
    slow.rememberProof('10.0.1.1', 'his');
    waiting.push(slow.begin('10.0.1.1', 'desk'));
    release();
    expect((await Promise.allSettled(waiting)).filter(({ status }) => status === 'rejected')).to.deep.equal([]);
  });

  it('with other names leave room for a name that its network has proved', async () => {
    const slow = holding();
    for (const proved of ['his', 'lab']) slow.rememberProof('10.0.0.1', proved);
    const waiting: Promise<unknown>[] = [];
    for (const name of ['desk', 'his', 'lab']) {
      for (let n = 0; n < 8; n++) waiting.push(slow.begin('10.0.0.1', name));
      expect(await codeOf(slow.begin('10.0.0.1', name))).to.equal('TooManyRequests');
    }
    release();
    await Promise.all(waiting);
  });

  it('that were refused because others waited do not count', async () => {
    const slow = holding();
    const waiting = Array.from({ length: 5 }, () => slow.begin('10.0.0.1', 'desk'));
    for (let n = 0; n < 3; n++) waiting.push(slow.begin('10.0.0.1', `name ${n}`));
    for (let n = 0; n < 3; n++) expect(await codeOf(slow.begin('10.0.0.1', 'other'))).to.equal('TooManyRequests');
    waiting.push(slow.begin('10.0.0.2', 'other'));
    expect(pauses).to.have.length(5);
    release();
    await Promise.all(waiting);
  });

  describe('with secrets that cost nothing to check', () => {
    const check = (right: boolean, address = '10.0.0.1', name = 'desk', at = delays) =>
      at.check(address, name, () => right);

    for (const proved of [false, true]) {
      it(`delay wrong ones more and more, and no right one, ${proved ? 'where the name is proved' : 'where nothing is proved'}`, async () => {
        if (proved) delays.rememberProof('10.0.0.1', 'desk');
        for (let n = 0; n < 10; n++) {
          expect(await check(false)).to.equal(false);
          const before = pauses.length;
          expect(await check(true)).to.equal(true);
          expect(pauses).to.have.length(before);
        }
        expect(pauses).to.deep.equal([250, 500, 1000, 2000, 4000, 5000, 5000]);
      });

      it(`check no sixth one while five wrong ones wait, ${proved ? 'where the name is proved' : 'where nothing is proved'}`, async () => {
        const slow = holding();
        if (proved) slow.rememberProof('10.0.0.1', 'desk');
        let checked = 0;
        const guesses = Array.from({ length: 1000 }, () =>
          codeOf(slow.check('10.0.0.1', 'desk', () => ++checked === 0)),
        );
        expect(checked).to.equal(8);
        expect(await codeOf(check(true, '10.0.0.1', 'desk', slow))).to.equal('TooManyRequests');
        expect(await check(true, '10.0.0.2', 'desk', slow)).to.equal(true);
        release();
        await Promise.all(guesses);
        expect(await check(true, '10.0.0.1', 'desk', slow)).to.equal(true);
      });
    }

    it('count like those of other secrets', async () => {
      for (let n = 0; n < 3; n++) await check(false);
      expect(await attempts(1)).to.deep.equal([250]);
      await check(false, '10.0.0.1', 'other');
      expect(pauses).to.deep.equal([500]);
    });
  });
});
