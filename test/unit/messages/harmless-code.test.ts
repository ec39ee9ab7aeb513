import { expect } from 'chai';
import { harmlessCode } from '../../../src/messages/gateways/gateway.ts';

describe('A code from outside', () => {
  const KEPT = '0x0B ECONNREFUSED 503 err:000 DELIVRD 110716 TEMPLATE-VARIABLE-EXCEEDED-MAX-LENGTH:628'.split(' ');
  const LEFT_OUT = ['', '9845012345', 'to+919845012345', 'Dear Asha', 'a'.repeat(51), 'a\nb', '<b>', 'é', undefined];

  it('is kept if it is too short to hold a phone number', () => expect(KEPT.map(harmlessCode)).to.deep.equal(KEPT));
  for (const code of LEFT_OUT) {
    it(`is left out if it is ${JSON.stringify(code)}`, () => expect(harmlessCode(code)).to.equal(undefined));
  }
});
