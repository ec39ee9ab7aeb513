import { expect } from 'chai';
import { isLoopback, plainAddress, subscriberNetwork } from '../../../src/vocabulary/ip-address.ts';

describe("A subscriber's network", () => {
  for (const [address, network] of [
    ['10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::1', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::ffff', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['', ''],
  ] as const) {
    it(`for ${address === '' ? 'no address' : address} is ${network === '' ? 'none' : network}`, () => {
      expect(subscriberNetwork(address)).to.equal(network);
    });
  }
});

describe('An address', () => {
  it('is compared in a uniform spelling', () => {
    expect(plainAddress('::FFFF:127.0.0.1')).to.equal('127.0.0.1');
    expect(plainAddress('::ffff:7f00:1')).to.equal('127.0.0.1');
    expect(plainAddress('fe80::1%eth0')).to.equal('fe80::1');
    expect(plainAddress('10.0.0.1')).to.equal('10.0.0.1');
    expect(plainAddress('::ffff:x')).to.equal('::ffff:x');
  });

  it('is recognized as local to this machine, however it is written', () => {
    const own = '127.0.0.1 127.8.9.10 ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 [::1] localhost LOCALHOST'.split(' ');
    expect(own.filter((host) => !isLoopback(host))).to.deep.equal([]);
    const others = '0.0.0.0 :: 128.0.0.1 10.0.0.1 127.example.org 127.1 localhost.example.org ::2  []'.split(' ');
    expect(others.filter(isLoopback)).to.deep.equal([]);
  });
});
