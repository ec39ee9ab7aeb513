import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { type ArrivedRequest, createOriginOf } from '../../../src/access/request-origin.ts';
import { plainAddress } from '../../../src/vocabulary/ip-address.ts';

const request = (remoteAddress: string | undefined, headers: IncomingHttpHeaders, isEncrypted = false) =>
  ({ peer: { address: plainAddress(remoteAddress ?? ''), isEncrypted, origin: undefined }, headers }) as ArrivedRequest;

describe('The origin of a request', () => {
  const PROXIES = ['10.0.0.0/24', 'fd00::1'];
  const addressOf = (peer: string, headers: IncomingHttpHeaders) =>
    createOriginOf(PROXIES)(request(peer, headers)).address;

  it('is the other end of the connection if there are no proxies, whatever its headers say', () => {
    const originOf = createOriginOf([]);
    const headers = {
      'x-forwarded-for': '1.1.1.1',
      'x-forwarded-proto': 'https',
      forwarded: 'for=1.1.1.1;proto=https',
    };
    expect(originOf(request('::ffff:10.0.0.1', headers))).to.deep.equal({
      address: '10.0.0.1',
      network: '10.0.0.1',
      isLocal: false,
      secure: false,
      viaProxy: false,
    });
    expect(originOf(request('10.0.0.1', {}, true)).secure).to.equal(true);
    expect(originOf(request(undefined, {})).address).to.equal('');
  });

  const FORWARDED: readonly (readonly [title: string, header: string, address: string])[] = [
    ['the one that the proxy saw', '1.1.1.1', '1.1.1.1'],
    ['not an entry that the client wrote before it', '9.9.9.9, 1.1.1.1', '1.1.1.1'],
    ['not an entry of a client that claims to be a proxy', '9.9.9.9, 10.0.0.7, 1.1.1.1', '1.1.1.1'],
    ['through several proxies', '9.9.9.9, 1.1.1.1, 10.0.0.2, 10.0.0.3', '1.1.1.1'],
    ['the furthest proxy if all entries are proxies', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
    ['with a port', '1.1.1.1:4711', '1.1.1.1'],
    ['IPv6', '2001:db8::1', '2001:db8::1'],
    ['IPv6 in brackets with a port', '[2001:db8::1]:4711', '2001:db8::1'],
    ['IPv4 written as IPv6', '::ffff:1.1.1.1', '1.1.1.1'],
    ['the proxy itself if the header contains no address', 'unknown', '10.0.0.1'],
    ['the proxy itself if the header is empty', '', '10.0.0.1'],
    ['not an entry before one that is not an address', '1.1.1.1, unknown', '10.0.0.1'],
    ['correct without white space', '9.9.9.9,1.1.1.1', '1.1.1.1'],
  ];
  for (const [title, header, address] of FORWARDED) {
    it(`is, by X-Forwarded-For, ${title}`, () => {
      expect(addressOf('10.0.0.1', { 'x-forwarded-for': header })).to.equal(address);
      expect(addressOf('8.8.8.8', { 'x-forwarded-for': header })).to.equal('8.8.8.8');
    });
  }

  it('is not read from Forwarded, which nobody clears', () => {
    expect(addressOf('10.0.0.1', { forwarded: 'for=1.1.1.1' })).to.equal('10.0.0.1');
  });

  it('is secure if the nearest proxy says so, whatever the client wrote', () => {
    const secure = (peer: string, headers: IncomingHttpHeaders) =>
      createOriginOf(PROXIES)(request(peer, headers)).secure;
    expect(secure('10.0.0.1', { 'x-forwarded-proto': 'https' })).to.equal(true);
    expect(secure('10.0.0.1', { 'x-forwarded-proto': 'https, http' })).to.equal(false);
    expect(secure('10.0.0.1', {})).to.equal(false);
    expect(secure('8.8.8.8', { 'x-forwarded-proto': 'https' })).to.equal(false);
    expect(secure('10.0.0.1', { 'x-forwarded-proto': 'HTTPS' })).to.equal(true);
  });
});
