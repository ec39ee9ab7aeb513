import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { ANONYMOUS } from '../../../src/access/client.ts';
import { originAt } from '../../../src/access/request-origin.ts';
import { publicAddress } from '../../../src/transports/public-address.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';

const allowedHosts = ['localhost', '127.0.0.1', '[::1]', 'his.example.org'];
const addressFor = (headers: Record<string, string>, publicUrl?: string): string => {
  const request = { headers } as IncomingMessage;
  const incoming = { request, origin: originAt('192.0.2.1', false, false), client: ANONYMOUS };
  return publicAddress(incoming, { publicUrl, allowedHosts });
};

describe('The public address', () => {
  for (const host of [
    'localhost',
    'localhost:8080',
    'localhost:65535',
    '127.0.0.1:80',
    '[::1]:8080',
    '[::1]',
    'his.example.org',
    'HIS.Example.ORG',
  ]) {
    it(`A request for ${host} is answered with that address.`, () => {
      expect(addressFor({ host })).to.equal(`http://${host}`);
    });
  }

  for (const host of [
    'evil.example',
    'localhost.evil.example',
    'evil.example:localhost',
    'localhost@evil.example',
    'localhost/evil',
    'localhost"><script>',
    'localhost evil',
    'localhost:65536',
    'localhost:99999999',
    'localhost:',
    '::1',
    '',
  ]) {
    it(`A request for ${JSON.stringify(host)} is misdirected.`, () => {
      expect(() => addressFor({ host }))
        .to.throw(ServiceError)
        .with.property('code', 'MisdirectedRequest');
    });
  }

  it('A request without Host is misdirected.', () => {
    expect(() => addressFor({})).to.throw(ServiceError);
  });

  it('PUBLIC_URL takes precedence over the Host header.', () => {
    expect(addressFor({ host: '10.0.0.9' }, 'https://his.example.org/x')).to.equal('https://his.example.org/x');
  });

  it('Proxy headers are not trusted.', () => {
    const headers = { host: 'localhost', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    expect(addressFor(headers)).to.equal('http://localhost');
  });
});
