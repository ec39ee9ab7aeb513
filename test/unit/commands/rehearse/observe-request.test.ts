import { expect } from 'chai';
import { createObserveRequest } from '../../../../src/commands/rehearse/observe-request.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';

describe('What a rehearsal reads from a request', () => {
  const observe = createObserveRequest(ownContract);

  for (const [headers, host] of [
    [['Host', 'HIS.Hospital.example:8080'], 'his.hospital.example'],
    [['host', 'reception'], 'reception'],
    [['Host', '10.0.0.5:80'], '10.0.0.5'],
    [['Host', '[2001:DB8::1]:80'], '[2001:db8::1]'],
    [['Host', '[2001:db8::1]'], '[2001:db8::1]'],
    [['Host', 'a@b.example:1, 9845012345\u00e9x'], '…, … x'],
    [['Host', ''], '(none)'],
    [[], '(none)'],
  ] as const) {
    it(`is the host name ${host} if its headers are ${JSON.stringify(headers)}`, () => {
      const request = { method: 'GET', target: '/', headers, body: Buffer.from(''), address: '192.0.2.1' };
      expect(observe(request).host).to.equal(host);
    });
  }
});
