import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { SMS_SETTINGS } from '../../../src/settings/sms-settings.ts';
import { listed } from '../../support/listed.ts';
import { mistakesOf, settingsSuite } from './settings-suite.ts';

const GATEWAY =
  'expected off, file:FILE, http:kannel, http:FILE.json, smpp://HOST:PORT or ssmpp://HOST:PORT, see docs/operators/text-messages.md';
const whole = (least: number, most: number) => `expected a whole number from ${least} to ${most}`;

settingsSuite(
  'text messages',
  SMS_SETTINGS,
  [
    [
      'SMS_GATEWAY',
      GATEWAY,
      ...listed(`
        on | file: | kannel | http: | http://127.0.0.1:13013 | smpp://smsc | smpp://smsc:0 | smpp://smsc:65536
        smpp://user@smsc:2775 | http:moon | smpp://smsc:2775?systemtype=x | smpp://smsc:2775?long_messages=payload
      `),
    ],
    ['SMS_RATE', whole(1, 10_000), '0', '10001', '1.5', '-1'],
    [
      'SMS_CALLBACK_SECRET',
      'expected 16 to 128 letters, digits, hyphens and underscores',
      'short',
      'x'.repeat(129),
      'a%20secret%20of%20some%20length',
      'secrets/with/slashes',
    ],
  ],
  ['SMS_SENDER', 'SMS_USERNAME', 'SMS_PASSWORD'],
);

/** The defaults for an SMS center, unless the address says otherwise. */
const USUAL = { systemType: '' } as const;

describe('Settings: text messages', () => {
  it('write to a file, 20 messages per second, by default', () => {
    expect(readConfig({}).sms).to.deep.equal({
      gateway: { kind: 'file', path: './data/sms.jsonl' },
      rate: 20,
      sender: undefined,
      username: undefined,
      password: undefined,
      callbackSecret: undefined,
    });
  });

  for (const [value, location] of [
    ['off', { kind: 'off' }],
    ['file:/var/spool/sms.jsonl', { kind: 'file', path: '/var/spool/sms.jsonl' }],
    ['http:kannel', { kind: 'http', template: 'kannel' }],
    ['http:./gateway.json', { kind: 'http', template: './gateway.json' }],
    ['smpp://smsc.example.org:2775', { kind: 'smpp', host: 'smsc.example.org', port: 2775, tls: false, ...USUAL }],
    ['ssmpp://[::1]:3550/', { kind: 'smpp', host: '::1', port: 3550, tls: true, ...USUAL }],
    ['SSMPP://smsc:1', { kind: 'smpp', host: 'smsc', port: 1, tls: true, ...USUAL }],
    ['smpp://smsc:2775?system_type=V%20MA', { kind: 'smpp', host: 'smsc', port: 2775, tls: false, systemType: 'V MA' }],
  ] as const) {
    it(`read SMS_GATEWAY=${value}`, () => {
      expect(readConfig({ SMS_GATEWAY: value }).sms.gateway).to.deep.equal(location);
    });
  }

  it('quote no secret in a mistake', () => {
    const secrets = { SMS_PASSWORD: 's3cret', SMS_CALLBACK_SECRET: 's3cret', SMS_RATE: 'x' };
    expect(mistakesOf(secrets).join('\n')).to.not.contain('s3cret');
  });
});
