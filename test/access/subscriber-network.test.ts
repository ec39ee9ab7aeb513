import { expect } from 'chai';
import { subscriberNetwork } from '../../src/access/subscriber-network.ts';

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
    it(`of ${address === '' ? 'no address' : address} is ${network === '' ? 'none' : network}`, () => {
      expect(subscriberNetwork(address)).to.equal(network);
    });
  }
});
