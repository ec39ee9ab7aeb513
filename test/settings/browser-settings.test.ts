import { expect } from 'chai';
import { BROWSER_SETTINGS } from '../../src/settings/browser-settings.ts';
import { readConfig } from '../../src/settings/config.ts';
import { settingsSuite } from './settings-suite.ts';

settingsSuite('browsers', BROWSER_SETTINGS, [
  [
    'CORS_ORIGINS',
    'expected origins such as https://desk.example.org, in lower case, without path and default port',
    '*',
    'null',
    'desk.example.org',
    'https://desk.example.org/',
    'https://Desk.example.org',
    'https://desk.example.org:443',
    'https://*.example.org',
    'file:///',
  ],
  ['HSTS_SECONDS', 'expected a whole number from 0 to 63072000', '-1', '1y', '63072001'],
]);

describe('Settings: browsers', () => {
  it('allow no other origin, and do not pin browsers to TLS, by default', () => {
    expect(readConfig({}).browser).to.deep.equal({ corsOrigins: [], hstsSeconds: 0 });
  });

  it('are read', () => {
    const { browser } = readConfig({ CORS_ORIGINS: 'https://desk.example.org, http://10.0.0.5:8000' });
    expect(browser.corsOrigins).to.deep.equal(['https://desk.example.org', 'http://10.0.0.5:8000']);
  });
});
