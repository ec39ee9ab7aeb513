import { expect } from 'chai';
import { EXPECTED_NETWORK } from '../../src/access/ip-networks.ts';
import { ACCESS_SETTINGS } from '../../src/settings/access-settings.ts';
import { readConfig } from '../../src/settings/config.ts';
import { mistakesOf, settingsSuite } from './settings-suite.ts';

// The contents of a file are checked when it is read.
settingsSuite(
  'access',
  ACCESS_SETTINGS,
  [
    ['PROTECT_METADATA', 'expected true or false', 'yes'],
    ['HTTP_GET', 'expected true or false', 'off'],
    ['HTTP_POST', 'expected true or false', 'off'],
    ['TLS_CLIENT_CERT_REQUIRED', 'expected true or false', '1'],
    ['TRUSTED_PROXIES', EXPECTED_NETWORK, 'proxy', '10.0.0.0/33', '10.0.0.1;10.0.0.2'],
    ['PROXY_CLIENT_CERTIFICATES', 'expected true or false', 'yes'],
    ['PROXY_HEADERS', 'expected x-forwarded or forwarded', 'both'],
  ],
  ['CLIENTS_FILE', 'TLS_CERT', 'TLS_KEY', 'TLS_CLIENT_CA'],
);

describe('Settings: access', () => {
  it('allow open access by default', () => {
    expect(readConfig({}).access).to.deep.equal({
      clientsFile: undefined,
      protectMetadata: false,
      httpGet: true,
      httpPost: true,
      tls: undefined,
      trustedProxies: [],
      proxyHeaders: 'x-forwarded',
      proxyClientCertificates: false,
    });
  });

  it('refuse protection that needs a clients file without one', () => {
    const tls = { TLS_CERT: 'a.crt', TLS_KEY: 'a.key', TLS_CLIENT_CA: 'ca.crt' };
    expect(mistakesOf({ PROTECT_METADATA: 'true' })).to.deep.equal(['PROTECT_METADATA: expected CLIENTS_FILE with it']);
    expect(mistakesOf(tls)).to.deep.equal(['TLS_CLIENT_CA: expected CLIENTS_FILE with it']);
    expect(mistakesOf({ PROXY_CLIENT_CERTIFICATES: 'true' })).to.deep.equal([
      'PROXY_CLIENT_CERTIFICATES: expected CLIENTS_FILE with it',
      'PROXY_CLIENT_CERTIFICATES: expected TRUSTED_PROXIES with it',
    ]);
    // A certificate that every connection must have is protection enough.
    expect(() => readConfig({ ...tls, TLS_CLIENT_CERT_REQUIRED: 'true' })).not.to.throw();
    expect(() => readConfig({ ...tls, CLIENTS_FILE: 'clients.json' })).not.to.throw();
  });

  it('refuse half of a certificate, and still report the mistakes of other settings', () => {
    expect(mistakesOf({ TLS_CERT: 'a.crt' })).to.deep.equal(['TLS_CERT: expected TLS_KEY with it']);
    expect(mistakesOf({ TLS_KEY: 'a.key', TIME_ZONE: 'IST' })).to.deep.equal([
      'TLS_KEY: expected TLS_CERT with it',
      'TIME_ZONE=IST: expected an IANA time zone such as Asia/Kolkata',
    ]);
    const tls = { TLS_CERT: 'a.crt', TLS_KEY: 'a.key' };
    expect(mistakesOf({ TLS_CLIENT_CA: 'ca.crt', CLIENTS_FILE: 'clients.json' })).to.deep.equal([
      'TLS_CLIENT_CA: expected TLS_CERT and TLS_KEY with it',
    ]);
    expect(mistakesOf({ TLS_CLIENT_CERT_REQUIRED: 'true' })).to.deep.equal([
      'TLS_CLIENT_CERT_REQUIRED: expected TLS_CERT and TLS_KEY with it',
    ]);
    expect(mistakesOf({ ...tls, TLS_CLIENT_CERT_REQUIRED: 'true' })).to.deep.equal([
      'TLS_CLIENT_CERT_REQUIRED: expected TLS_CLIENT_CA with it',
    ]);
  });

  it('are read', () => {
    const { access } = readConfig({
      CLIENTS_FILE: 'clients.json',
      TRUSTED_PROXIES: '10.0.0.1, fd00::/8',
      PROXY_HEADERS: 'forwarded',
      TLS_CERT: 'a.crt',
      TLS_KEY: 'a.key',
      TLS_CLIENT_CA: 'ca.crt',
    });
    expect(access).to.deep.include({
      clientsFile: 'clients.json',
      trustedProxies: ['10.0.0.1', 'fd00::/8'],
      proxyHeaders: 'forwarded',
      tls: { cert: 'a.crt', key: 'a.key', clientCa: 'ca.crt', clientCertRequired: false },
    });
  });
});
