import { expect } from 'chai';
import { ipNetworks, isNetwork } from '../../../src/vocabulary/ip-address.ts';

describe('Networks', () => {
  const CASES: readonly (readonly [network: string, inside: readonly string[], outside: readonly string[]])[] = [
    [
      '10.1.0.0/16',
      ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', '::ffff:a01:203'],
      ['10.2.0.0', '::a01:203', 'x', ''],
    ],
    ['10.1.2.3', ['10.1.2.3'], ['10.1.2.4', '10.1.2.30']],
    ['0.0.0.0/0', ['1.2.3.4', '::ffff:1.2.3.4'], ['::1']],
    ['fd00::/8', ['fd00::1', 'FDFF::', 'fd00::1%eth0'], ['fe00::1', '10.0.0.1']],
    ['::1', ['::1', '0:0:0:0:0:0:0:1'], ['::2', '127.0.0.1']],
    ['::ffff:10.1.0.0/112', ['10.1.9.9', '::ffff:10.1.9.9'], ['10.2.0.0']],
    ['::/0', ['::1', 'fd00::1'], ['127.0.0.1']],
  ];
  for (const [network, inside, outside] of CASES) {
    it(`match the addresses in ${network}`, () => {
      const isIn = ipNetworks([network]);
      expect(inside.filter((address) => !isIn(address))).to.deep.equal([]);
      expect(outside.filter(isIn)).to.deep.equal([]);
    });
  }

  it('may be several, or none', () => {
    expect(ipNetworks(['10.0.0.1', 'fd00::/8'])('fd00::2')).to.equal(true);
    expect(ipNetworks([])('10.0.0.1')).to.equal(false);
  });

  it('are refused if they are not networks', () => {
    const wrong = '10.1 10.1.0.0/33 10.1.0.0/ fd00::/129 localhost 10.1.0.0/-1 10.1.0.0/1e1 ::ffff:10.0.0.0/8'.split(
      ' ',
    );
    expect([...wrong, '', '10.0.0.1 '].filter(isNetwork)).to.deep.equal([]);
    expect(() => ipNetworks(['10.1'])).to.throw('10.1');
  });
});
