import { expect } from 'chai';
import { ACCESS_SETTINGS, LIMIT_SETTINGS } from '../../../src/settings/access-settings.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { EXPECTED_NETWORK } from '../../../src/vocabulary/ip-address.ts';
import { listed } from '../../support/listed.ts';
import { mistakesOf, settingsSuite } from './settings-suite.ts';

// The contents of a file are checked when it is read.
settingsSuite(
  'access',
  ACCESS_SETTINGS,
  [
    ['PROTECT_METADATA', 'expected true or false', 'yes'],
    ['HTTP_FORMS', 'expected get, post, get,post or none', 'off', 'none,get', 'GET', 'get;post', 'false'],
    ['TRUSTED_PROXIES', EXPECTED_NETWORK, 'proxy', '10.0.0.0/33', '10.0.0.1;10.0.0.2'],
    ['PROXY_CLIENT_CERTIFICATES', 'expected true or false', 'yes'],
    [
      'CORS_ORIGINS',
      'expected origins such as https://desk.example.org or capacitor://localhost, in lower case, without path and default port',
      ...listed(`
        * | null | desk.example.org | https://desk.example.org/ | https://Desk.example.org
        https://desk.example.org:443 | https://*.example.org | file:/// | capacitor://localhost/ | app:desk | Ionic://localhost
      `),
    ],
  ],
  ['CLIENTS_FILE', 'TLS_CERT', 'TLS_KEY', 'TLS_CLIENT_CA'],
);

settingsSuite('limits', LIMIT_SETTINGS, [
  ['RATE_LIMIT', 'expected a whole number from 0 to 100000000', '-1', '100000001', '10/s'],
  ['MAX_CONNECTIONS', 'expected a whole number from 1 to 1000000', '0', '1000001', 'many'],
]);

describe('Settings: limits', () => {
  it('are safe by default', () => {
    expect(readConfig({}).limits).to.deep.equal({
      rate: { perMinute: 6000, limitsThisMachine: false },
      connections: 10_000,
    });
  });

  it('also apply to this machine if a limit is set', () => {
    expect(readConfig({ RATE_LIMIT: '60' }).limits.rate).to.deep.equal({ perMinute: 60, limitsThisMachine: true });
    expect(readConfig({ RATE_LIMIT: '0' }).limits.rate).to.include({ perMinute: 0 });
  });
});

describe('Settings: access', () => {
  it('allow open access by default', () => {
    expect(readConfig({}).access).to.deep.equal({
      clientsFile: undefined,
      protectMetadata: false,
      transports: ['soap11', 'soap12', 'httpGet', 'httpPost'],
      tlsCert: undefined,
      tlsKey: undefined,
      tlsClientCa: undefined,
      tls: undefined,
      trustedProxies: [],
      proxyClientCertificates: false,
      corsOrigins: [],
    });
  });

  it('refuse protection that needs a clients file without one', () => {
    expect(mistakesOf({ PROTECT_METADATA: 'true' })).to.deep.equal(['PROTECT_METADATA: expected CLIENTS_FILE with it']);
    expect(mistakesOf({ PROXY_CLIENT_CERTIFICATES: 'true' })).to.deep.equal([
      'PROXY_CLIENT_CERTIFICATES: expected CLIENTS_FILE with it',
      'PROXY_CLIENT_CERTIFICATES: expected TRUSTED_PROXIES with it',
    ]);
  });

  it('require a certificate of every connection if there is no clients file that says who needs one', () => {
    const tls = { TLS_CERT: 'a.crt', TLS_KEY: 'a.key', TLS_CLIENT_CA: 'ca.crt' };
    expect(readConfig(tls).access.tls?.clientCertRequired).to.equal(true);
    expect(readConfig({ ...tls, CLIENTS_FILE: 'clients.json' }).access.tls?.clientCertRequired).to.equal(false);
    expect(readConfig({ ...tls, TLS_CLIENT_CA: '' }).access.tls?.clientCertRequired).to.equal(false);
  });

  it('refuse half of a certificate, and still report the mistakes of other settings', () => {
    expect(mistakesOf({ TLS_CERT: 'a.crt' })).to.deep.equal(['TLS_CERT: expected TLS_KEY with it']);
    expect(mistakesOf({ TLS_KEY: 'a.key', TIME_ZONE: 'IST' })).to.deep.equal([
      'TIME_ZONE=IST: expected an IANA time zone such as Asia/Kolkata',
      'TLS_KEY: expected TLS_CERT with it',
    ]);
    expect(mistakesOf({ TLS_CLIENT_CA: 'ca.crt', CLIENTS_FILE: 'clients.json' })).to.deep.equal([
      'TLS_CLIENT_CA: expected TLS_CERT and TLS_KEY with it',
    ]);
  });

  it('name the forms that are offered besides SOAP', () => {
    const formsOf = (HTTP_FORMS: string) => readConfig({ HTTP_FORMS }).access.transports.slice(2);
    expect(formsOf('post')).to.deep.equal(['httpPost']);
    expect(formsOf('post, get')).to.deep.equal(['httpGet', 'httpPost']);
    expect(formsOf('none')).to.deep.equal([]);
  });

  it('are read', () => {
    const { access } = readConfig({
      CLIENTS_FILE: 'clients.json',
      TRUSTED_PROXIES: '10.0.0.1, fd00::/8',
      CORS_ORIGINS: 'https://desk.example.org, http://10.0.0.5:8000',
      TLS_CERT: 'a.crt',
      TLS_KEY: 'a.key',
      TLS_CLIENT_CA: 'ca.crt',
    });
    expect(access).to.deep.include({
      clientsFile: 'clients.json',
      trustedProxies: ['10.0.0.1', 'fd00::/8'],
      corsOrigins: ['https://desk.example.org', 'http://10.0.0.5:8000'],
      tls: { cert: 'a.crt', key: 'a.key', clientCa: 'ca.crt', clientCertRequired: false },
    });
  });
});
