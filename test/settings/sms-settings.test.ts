import { expect } from 'chai';
import { readConfig } from '../../src/settings/config.ts';
import { SMS_SETTINGS } from '../../src/settings/sms-settings.ts';
import { mistakesOf, settingsSuite } from './settings-suite.ts';

const GATEWAY = 'expected off, file:FILE, http:PRESET, http:FILE.json, smpp://HOST:PORT or ssmpp://HOST:PORT';
const whole = (least: number, most: number) => `expected a whole number from ${least} to ${most}`;

settingsSuite(
  'text messages',
  SMS_SETTINGS,
  [
    [
      'SMS_GATEWAY',
      GATEWAY,
      'on',
      'file:',
      'kannel',
      'http:',
      'http://127.0.0.1:13013',
      'smpp://smsc',
      'smpp://smsc:0',
      'smpp://smsc:65536',
      'smpp://user:word@smsc:2775',
    ],
    ['SMS_TEMPLATE_REQUIRED', 'expected true or false', 'yes'],
    ['SMS_RATE', whole(1, 10_000), '0', '10001', '1.5', '-1'],
    ['SMS_WINDOW', whole(1, 1000), '0', '1001'],
    ['SMS_LEASE_SECONDS', whole(1, 3600), '0', '3601'],
    ['SMS_TRIES', whole(1, 1000), '0', '1001'],
    ['SMS_RETRY_SECONDS', whole(1, 3600), '0', '3601'],
    [
      'SMS_CALLBACK_SECRET',
      'expected 16 to 128 letters, digits, hyphens and underscores',
      'short',
      'x'.repeat(129),
      'a%20secret%20of%20some%20length',
      'secrets/with/slashes',
    ],
    ['SMS_LONG_MESSAGES', 'expected udh or payload', 'sar'],
  ],
  ['SMS_SENDER', 'SMS_URL', 'SMS_USERNAME', 'SMS_PASSWORD', 'SMS_API_KEY', 'SMS_SMPP_SYSTEM_TYPE'],
);

describe('Settings: text messages', () => {
  it('write to a file, 20 a second, unless given', () => {
    expect(readConfig({}).sms).to.deep.equal({
      gateway: { kind: 'file', path: './data/sms.jsonl' },
      templateRequired: false,
      rate: 20,
      window: 10,
      lease: 30_000,
      tries: 8,
      retryBase: 2000,
      sender: undefined,
      url: undefined,
      username: undefined,
      password: undefined,
      apiKey: undefined,
      callbackSecret: undefined,
      smppSystemType: undefined,
      longMessages: 'udh',
    });
  });

  for (const [value, location] of [
    ['off', { kind: 'off' }],
    ['file:/var/spool/sms.jsonl', { kind: 'file', path: '/var/spool/sms.jsonl' }],
    ['http:kannel', { kind: 'http', preset: 'kannel' }],
    ['http:./gateway.json', { kind: 'http', template: './gateway.json' }],
    ['smpp://smsc.example.org:2775', { kind: 'smpp', host: 'smsc.example.org', port: 2775, tls: false }],
    ['ssmpp://[::1]:3550/', { kind: 'smpp', host: '::1', port: 3550, tls: true }],
  ] as const) {
    it(`read SMS_GATEWAY=${value}`, () => {
      expect(readConfig({ SMS_GATEWAY: value }).sms.gateway).to.deep.equal(location);
    });
  }

  it('quote no secret in a mistake', () => {
    const secrets = { SMS_PASSWORD: 's3cret', SMS_API_KEY: 's3cret', SMS_CALLBACK_SECRET: 's3cret', SMS_RATE: 'x' };
    expect(mistakesOf(secrets).join('\n')).to.not.contain('s3cret');
  });
});
