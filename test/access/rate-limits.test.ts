import type { IncomingMessage } from 'node:http';
import { mock } from 'node:test';
import { expect } from 'chai';
import { setCaller } from '../../src/access/caller.ts';
import type { Client } from '../../src/access/client.ts';
import { RateLimits } from '../../src/access/rate-limits.ts';
import { ServiceError } from '../../src/vocabulary/errors.ts';

const addresses = new WeakMap<IncomingMessage, string>();

function requestFrom(address: string, client?: Client): IncomingMessage {
  const request = {} as IncomingMessage;
  addresses.set(request, address);
  if (client !== undefined) setCaller(request, client);
  return request;
}

const limits = (ratePerMinute: number, limitsThisMachine = true) =>
  new RateLimits({ ratePerMinute, limitsThisMachine }, (request) => ({
    address: addresses.get(request) ?? '',
    secure: false,
    viaProxy: false,
  }));

/** Whether a request is let in, or in how many seconds the next one is. */
const ask = async (asked: Promise<void> | undefined): Promise<'in' | number | undefined> => {
  try {
    await asked;
    return 'in';
  } catch (error) {
    expect(error).to.be.instanceOf(ServiceError).with.property('code', 'TooManyRequests');
    return (error as ServiceError).retryAfter;
  }
};

describe('Rate limits', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_000_000 }));
  afterEach(() => mock.timers.reset());

  it('let in as many requests as they say, and more when the minute is over', async () => {
    const rates = limits(2);
    const request = requestFrom('10.0.0.1');
    expect(await ask(rates.take(request))).to.equal('in');
    mock.timers.tick(20_500);
    expect(await ask(rates.take(request))).to.equal('in');
    expect(await ask(rates.take(request))).to.equal(40);
    mock.timers.tick(39_499);
    expect(await ask(rates.take(request))).to.equal(1);
    mock.timers.tick(1);
    expect(await ask(rates.take(request))).to.equal('in');
  });

  it('count addresses apart, and those of one IPv6 subscriber together', async () => {
    const rates = limits(1);
    expect(await ask(rates.take(requestFrom('10.0.0.1')))).to.equal('in');
    expect(await ask(rates.take(requestFrom('10.0.0.2')))).to.equal('in');
    expect(await ask(rates.take(requestFrom('2001:db8::1')))).to.equal('in');
    expect(await ask(rates.take(requestFrom('2001:db8::2')))).to.equal(60);
    expect(await ask(rates.take(requestFrom('2001:db8:0:1::2')))).to.equal('in');
  });

  it('count a client by its name, wherever it calls from, and by its own rate; its calls cost its address nothing', async () => {
    const rates = limits(1);
    const desk: Client = { name: 'desk', ratePerMinute: 2 };
    expect(await ask(rates.take(requestFrom('10.0.0.1', desk)))).to.equal('in');
    expect(await ask(rates.take(requestFrom('10.0.0.2', desk)))).to.equal('in');
    expect(await ask(rates.take(requestFrom('10.0.0.3', desk)))).to.equal(60);
    expect(await ask(rates.take(requestFrom('10.0.0.1')))).to.equal('in');
    expect(await ask(rates.take(requestFrom('10.0.0.1', { name: 'other' })))).to.equal('in');
    expect(await ask(rates.take(requestFrom('10.0.0.1', { name: 'other' })))).to.equal(60);
  });

  it('count nobody where they are 0, and a client whose own rate says so all the same', async () => {
    const rates = limits(0);
    expect(rates.take(requestFrom('10.0.0.1'))).to.equal(undefined);
    const desk: Client = { name: 'desk', ratePerMinute: 1 };
    await ask(rates.take(requestFrom('10.0.0.1', desk)));
    expect(await ask(rates.take(requestFrom('10.0.0.1', desk)))).to.equal(60);
    expect(limits(1).take(requestFrom('10.0.0.1', { name: 'free', ratePerMinute: 0 }))).to.equal(undefined);
  });

  it('leave callers of this machine alone unless they are asked for, but not its clients', async () => {
    const rates = limits(1, false);
    expect(rates.take(requestFrom('127.0.0.1'))).to.equal(undefined);
    expect(rates.take(requestFrom('::1'))).to.equal(undefined);
    expect(rates.take(requestFrom('127.0.0.1', { name: 'desk' }))).not.to.equal(undefined);
    expect(rates.take(requestFrom('128.0.0.1'))).not.to.equal(undefined);
  });

  it('tell without counting whether there is some left', async () => {
    const rates = limits(1);
    const request = requestFrom('10.0.0.1');
    expect(await ask(rates.requireRest(request))).to.equal('in');
    expect(await ask(rates.requireRest(request))).to.equal('in');
    await ask(rates.take(request));
    expect(await ask(rates.requireRest(request))).to.equal(60);
  });

  it('hear what other processes have counted', async () => {
    const [here, there] = [limits(3), limits(3)];
    here.takeCounts();
    there.takeCounts();
    const request = requestFrom('10.0.0.1');
    await ask(here.take(request));
    await ask(here.take(request));
    expect(here.takeCounts()).to.deep.equal([['address 10.0.0.1', 2]]);
    expect(here.takeCounts()).to.deep.equal([]);
    there.addCounts([['address 10.0.0.1', 2]]);
    expect(there.takeCounts(), 'what was heard is not told again').to.deep.equal([]);
    expect(await ask(there.take(request))).to.equal('in');
    expect(await ask(there.take(request))).to.equal(60);
  });

  it('keep no more than 20,000 callers, those who called last', async () => {
    const rates = limits(1);
    const guest = requestFrom('10.0.0.1');
    const busy = requestFrom('10.0.0.2');
    await ask(rates.take(guest));
    await ask(rates.take(busy));
    for (let i = 0; i < 19_999; i++) {
      void rates.take(requestFrom(`2001:db8:${(i >> 12).toString(16)}:${(i & 4095).toString(16)}::1`));
      if (i === 10_000) expect(await ask(rates.take(busy))).to.equal(60);
    }
    expect(await ask(rates.take(busy))).to.equal(60);
    expect(await ask(rates.take(guest)), 'the quietest made room').to.equal('in');
  });
});
