import { getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { expect } from 'chai';
import '../../../src/service/this-machine.ts';

it('A process gives each address of a host the time to answer a packet that was lost twice', () => {
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).to.be.within(3100, 4000);
});
