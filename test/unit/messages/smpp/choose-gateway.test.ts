import { expect } from 'chai';
import { chooseSmppGateway } from '../../../../src/messages/gateways/smpp-gateway.ts';
import { SetUpError } from '../../../../src/vocabulary/errors.ts';

const location = {
  host: 'smsc.example.org',
  port: 2775,
  tls: false,
  systemType: '',
};
const settings = {
  username: 'hospital',
  password: 'canary-77',
  sender: 'HOSPTL',
} as const;

describe('chooseSmppGateway', () => {
  it('does not connect yet, and describes itself only by its address', () => {
    expect(chooseSmppGateway(location, settings).description).to.equal('smpp://smsc.example.org:2775');
    const secure = { ...location, host: '::1', tls: true };
    expect(chooseSmppGateway(secure, settings).description).to.equal('ssmpp://[::1]:2775');
  });

  for (const [what, wrong, setting] of [
    ['no system_id', { username: undefined }, 'SMS_USERNAME'],
    ['a system_id of 16 characters', { username: 'a'.repeat(16) }, 'SMS_USERNAME'],
    ['a system_type of 13 characters', { systemType: 'a'.repeat(13) }, 'SMS_GATEWAY, system_type'],
    ['a sender in Hindi', { sender: 'अस्पताल' }, 'SMS_SENDER'],
    ['a password that is not ASCII', { password: 'canary-ß' }, 'SMS_PASSWORD'],
  ] as const) {
    it(`refuses ${what}, and quotes no value`, () => {
      expect(() => chooseSmppGateway({ ...location, ...wrong }, { ...settings, ...wrong }))
        .to.throw(SetUpError, new RegExp(`^${setting}: `))
        .with.property('message')
        .that.does.not.match(/canary|aaa|अ/);
    });
  }
});
