import { expect } from 'chai';
import { recordedAddress } from '../../src/access/ip-address.ts';

describe('A recorded address', () => {
  it('is the whole address, or only its network if the settings say so', () => {
    expect(recordedAddress('10.1.2.3', 'whole')).to.equal('10.1.2.3');
    expect(recordedAddress('10.1.2.3', 'network')).to.equal('10.1.2.0/24');
    expect(recordedAddress('2001:db8:1:2:3:4:5:6', 'network')).to.equal('2001:db8:1:2::/64');
    expect(recordedAddress('', 'network')).to.equal('');
  });
});
