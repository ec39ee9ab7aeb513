import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { createOriginOf, type ProxyHeaders } from '../../src/access/request-origin.ts';

const request = (remoteAddress: string | undefined, headers: IncomingHttpHeaders, encrypted = false) =>
  ({ socket: { remoteAddress, ...(encrypted ? { encrypted } : {}) }, headers }) as unknown as IncomingMessage;

describe('The origin of a request', () => {
  const PROXIES = ['10.0.0.0/24', 'fd00::1'];
  const addressOf = (peer: string, headers: IncomingHttpHeaders, style: ProxyHeaders = 'x-forwarded') =>
    createOriginOf(PROXIES, style)(request(peer, headers)).address;

  it('is the other end of the connection if there are no proxies, whatever its headers say', () => {
    const originOf = createOriginOf([], 'x-forwarded');
    const headers = {
      'x-forwarded-for': '1.1.1.1',
      'x-forwarded-proto': 'https',
      forwarded: 'for=1.1.1.1;proto=https',
    };
    expect(originOf(request('::ffff:10.0.0.1', headers))).to.deep.equal({
      address: '10.0.0.1',
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

  it('is read from Forwarded if the proxies send that header, and then from nothing else', () => {
    const forwarded = (header: string) =>
      addressOf('fd00::1', { forwarded: header, 'x-forwarded-for': '7.7.7.7' }, 'forwarded');
    expect(forwarded('for=1.1.1.1;proto=https')).to.equal('1.1.1.1');
    expect(forwarded('for=9.9.9.9, For="[2001:db8::1]:4711";by=10.0.0.3')).to.equal('2001:db8::1');
    expect(forwarded('for=9.9.9.9, for=_hidden')).to.equal('fd00::1');
    expect(forwarded('proto=https')).to.equal('fd00::1');
    expect(addressOf('10.0.0.1', { forwarded: 'for=1.1.1.1' })).to.equal('10.0.0.1');
  });

  const QUOTED: readonly (readonly [title: string, header: string, address: string])[] = [
    ['not an address after a comma in quotes', 'for="unknown, for=9.9.9.9"', '10.0.0.1'],
    ['not an address after an escaped quote', 'for=9.9.9.9, for="_a\\", for=8.8.8.8"', '10.0.0.1'],
    ['the entry of the proxy after quotes that the caller left open', 'for="9.9.9.9, for=1.1.1.1', '1.1.1.1'],
    ['the same, if the entry itself is in quotes', 'for="9.9.9.9, for="[2001:db8::1]:4711"', '2001:db8::1'],
    ['not an address that is followed by other text', 'for="9.9.9.9"8', '10.0.0.1'],
    ['the address next to a comma in quotes from another proxy', 'for=1.1.1.1, for=10.0.0.2;by="a,b"', '1.1.1.1'],
  ];
  for (const [title, forwarded, address] of QUOTED)
    it(`is, by Forwarded, ${title}`, () => {
      expect(addressOf('10.0.0.1', { forwarded }, 'forwarded')).to.equal(address);
    });

  it('is secure if the nearest proxy says so, whatever the client wrote', () => {
    const secure = (peer: string, headers: IncomingHttpHeaders, style: ProxyHeaders = 'x-forwarded') =>
      createOriginOf(PROXIES, style)(request(peer, headers)).secure;
    expect(secure('10.0.0.1', { 'x-forwarded-proto': 'https' })).to.equal(true);
    expect(secure('10.0.0.1', { 'x-forwarded-proto': 'https, http' })).to.equal(false);
    expect(secure('10.0.0.1', {})).to.equal(false);
    expect(secure('8.8.8.8', { 'x-forwarded-proto': 'https' })).to.equal(false);
    expect(secure('10.0.0.1', { forwarded: 'for=1.1.1.1;proto=HTTPS' }, 'forwarded')).to.equal(true);
  });
});
