import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { ANONYMOUS, type Client, type Incoming } from '../../../src/access/client.ts';
import { type CountRequest, limitRates } from '../../../src/access/rate-limits.ts';
import { originAt } from '../../../src/access/request-origin.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';

const requestFrom = (address: string, client = ANONYMOUS): Incoming => ({
  request: {} as IncomingMessage,
  origin: originAt(address, false, false),
  client,
});

const limits = (perMinute: number, limitsThisMachine = true) => limitRates({ perMinute, limitsThisMachine }, () => now);

let now: number;

/** Whether a request is admitted, or after how many seconds the next one will be. */
const ask = (take: () => void): 'in' | number | undefined => {
  try {
    take();
    return 'in';
  } catch (error) {
    expect(error).to.be.instanceOf(ServiceError).with.property('code', 'TooManyRequests');
    return (error as ServiceError).retryAfter;
  }
};

describe('Rate limits', () => {
  beforeEach(() => {
    now = 1_000_000;
  });

  it('admit the configured number of requests, and more once the minute is over', () => {
    const rates = limits(2);
    const request = requestFrom('10.0.0.1');
    expect(ask(() => rates(request))).to.equal('in');
    now += 20_500;
    expect(ask(() => rates(request))).to.equal('in');
    expect(ask(() => rates(request))).to.equal(40);
    now += 39_499;
    expect(ask(() => rates(request))).to.equal(1);
    now += 1;
    expect(ask(() => rates(request))).to.equal('in');
  });

  it('count each address separately, and the addresses of one IPv6 subscriber together', () => {
    const rates = limits(1);
    expect(ask(() => rates(requestFrom('10.0.0.1')))).to.equal('in');
    expect(ask(() => rates(requestFrom('10.0.0.2')))).to.equal('in');
    expect(ask(() => rates(requestFrom('2001:db8::1')))).to.equal('in');
    expect(ask(() => rates(requestFrom('2001:db8::2')))).to.equal(60);
    expect(ask(() => rates(requestFrom('2001:db8:0:1::2')))).to.equal('in');
  });

  it('count a client by its name, wherever it calls from, and by its own rate; its calls do not count for its address', () => {
    const rates = limits(1);
    const desk: Client = { name: 'desk', ratePerMinute: 2 };
    expect(ask(() => rates(requestFrom('10.0.0.1', desk)))).to.equal('in');
    expect(ask(() => rates(requestFrom('10.0.0.2', desk)))).to.equal('in');
    expect(ask(() => rates(requestFrom('10.0.0.3', desk)))).to.equal(60);
    expect(ask(() => rates(requestFrom('10.0.0.1')))).to.equal('in');
    expect(ask(() => rates(requestFrom('10.0.0.1', { name: 'other' })))).to.equal('in');
    expect(ask(() => rates(requestFrom('10.0.0.1', { name: 'other' })))).to.equal(60);
  });

  /** Whether a caller may call any number of times. */
  const isFree = (rates: CountRequest, request: Incoming) => [1, 2, 3].every(() => ask(() => rates(request)) === 'in');

  it('count nobody if they are 0, except clients with a rate of their own', () => {
    const rates = limits(0);
    expect(isFree(rates, requestFrom('10.0.0.1'))).to.equal(true);
    expect(isFree(rates, requestFrom('10.0.0.1', { name: 'desk', ratePerMinute: 1 }))).to.equal(false);
    expect(isFree(limits(1), requestFrom('10.0.0.1', { name: 'free', ratePerMinute: 0 }))).to.equal(true);
  });

  it('do not count callers on this machine unless told to, but do count clients on it', () => {
    const rates = limits(1, false);
    for (const own of ['127.0.0.1', '::1']) expect(isFree(rates, requestFrom(own)), own).to.equal(true);
    expect(isFree(rates, requestFrom('127.0.0.1', { name: 'desk' }))).to.equal(false);
    expect(isFree(rates, requestFrom('128.0.0.1'))).to.equal(false);
    expect(isFree(limits(1), requestFrom('127.0.0.1'))).to.equal(false);
  });

  it('report whether a request is left without counting one', () => {
    const rates = limits(1);
    const request = requestFrom('10.0.0.1');
    expect(ask(() => rates(request, 0))).to.equal('in');
    expect(ask(() => rates(request, 0))).to.equal('in');
    ask(() => rates(request));
    expect(ask(() => rates(request, 0))).to.equal(60);
  });

  it('store only the 20,000 most recent callers', () => {
    const rates = limits(1);
    const guest = requestFrom('10.0.0.1');
    const busy = requestFrom('10.0.0.2');
    ask(() => rates(guest));
    ask(() => rates(busy));
    for (let i = 0; i < 19_999; i++) {
      rates(requestFrom(`2001:db8:${(i >> 12).toString(16)}:${(i & 4095).toString(16)}::1`));
      if (i === 10_000) expect(ask(() => rates(busy))).to.equal(60);
    }
    expect(ask(() => rates(busy))).to.equal(60);
    expect(
      ask(() => rates(guest)),
      'the quietest made room',
    ).to.equal('in');
  });
});
