import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { certificateOf } from '../../../src/access/client-certificate.ts';
import { originAt } from '../../../src/access/request-origin.ts';

const ENDS_ON = Date.UTC(2027, 0, 18, 10, 15, 0);
const DIRECT = originAt('10.0.0.7', true, false);
const VIA_PROXY = { ...DIRECT, viaProxy: true };

/** A request over a connection as `node:tls` describes it. */
const requestOver = (socket: object, headers: Readonly<Record<string, string>> = {}): IncomingMessage =>
  ({
    socket: {
      encrypted: true,
      authorized: true,
      getPeerX509Certificate: () => ({ fingerprint256: 'AB:CD', validToDate: new Date(ENDS_ON) }),
      ...socket,
    },
    headers,
  }) as unknown as IncomingMessage;

describe('The certificate of a connection', () => {
  it('counts until it expires, even if the connection stays open', () => {
    const request = requestOver({});
    expect(certificateOf(request, DIRECT, true, ENDS_ON - 1)).to.equal('abcd');
    expect(certificateOf(request, DIRECT, true, ENDS_ON)).to.equal(undefined);
  });

  it('is absent without TLS, without a certificate, or with one that no trusted authority signed', () => {
    for (const socket of [
      { encrypted: undefined },
      { authorized: false },
      { getPeerX509Certificate: () => undefined },
    ]) {
      expect(certificateOf(requestOver(socket), DIRECT, true, 0)).to.equal(undefined);
    }
  });

  it('is the one named by a trusted proxy, never the proxy’s own, and none if two are named', () => {
    const named = (fingerprint: string) => requestOver({}, { 'x-client-cert-fingerprint': fingerprint });
    expect(certificateOf(named('01:23'), VIA_PROXY, true, 0)).to.equal('0123');
    expect(certificateOf(named('01:23'), DIRECT, true, 0)).to.equal('abcd');
    expect(certificateOf(requestOver({}), VIA_PROXY, true, 0)).to.equal(undefined);
    expect(certificateOf(named('0123, abcd'), VIA_PROXY, true, 0))
      .to.not.equal('abcd')
      .and.not.equal('0123');
  });
});
