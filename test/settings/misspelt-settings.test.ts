import { expect } from 'chai';
import { misspelt } from '../../src/settings/config.ts';

const meantBy = (...names: readonly string[]) =>
  misspelt(Object.fromEntries(names.map((name) => [name, 'x']))).map(({ name, meant }) => `${name}: ${meant}`);

describe('Misspelt settings', () => {
  it('are found by a letter or two', () => {
    expect(
      meantBy('CLIENT_FILE', 'TRUSTED_PROXYS', 'DATABASE_URI', 'TIMEZONE', 'allowed_hosts', 'SMS_PASWORD_FILE'),
    ).to.deep.equal([
      'CLIENT_FILE: CLIENTS_FILE',
      'TRUSTED_PROXYS: TRUSTED_PROXIES',
      'DATABASE_URI: DATABASE_URL',
      'TIMEZONE: TIME_ZONE',
      'allowed_hosts: ALLOWED_HOSTS',
      'SMS_PASWORD_FILE: SMS_PASSWORD_FILE',
    ]);
  });

  it('are settings, too, that cannot stand in a file', () => {
    expect(meantBy('TLS_CERT_FILE')).to.deep.equal(['TLS_CERT_FILE: TLS_CERT']);
  });

  it('are neither settings nor what any environment holds', () => {
    expect(meantBy('CLIENTS_FILE', 'DATABASE_URL_FILE', 'PORT', 'SMS_API_KEY_FILE')).to.deep.equal([]);
    expect(
      meantBy('HOME', 'PATH', 'HOSTNAME', 'LOGNAME', 'SHELL', 'LANG', 'PWD', 'NODE_ENV', 'NODE_OPTIONS', 'HTTP_PROXY'),
    ).to.deep.equal([]);
    expect(meantBy('INVOCATION_ID', 'JOURNAL_STREAM', 'CREDENTIALS_DIRECTORY', 'npm_config_port')).to.deep.equal([]);
    expect(meantBy('SSL_CERT_FILE', 'POSTGRES_PASSWORD_FILE', 'KUBERNETES_PORT', 'HTTPS_PROXY')).to.deep.equal([]);
  });
});
