import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { SERVER_SETTINGS } from '../../../src/settings/server-settings.ts';
import { listed } from '../../support/listed.ts';
import { mistakesOf, settingsSuite } from './settings-suite.ts';

// Only the system can judge what HOST may be.
settingsSuite(
  'the server',
  SERVER_SETTINGS,
  [
    ['PORT', 'expected a whole number from 0 to 65535', '65536', '-1', '80a', '1e3', '8080.0'],
    [
      'PUBLIC_URL',
      'expected an http or https URL without user name and query',
      ...listed(`
        his.example.org | ftp://his.example.org | https://his.example.org/?a | https://his.example.org/#a
        https://me@his.example.org
      `),
    ],
    ['ALLOWED_HOSTS', 'expected host names without ports, separated by commas', 'a:80', 'a b', 'a/b', '*'],
    [
      'NAMESPACE',
      'expected an absolute URI such as http://tempuri.org/',
      ...listed('hospital.example.org | urn:a b | urn:a"b | urn:<a> | /relative'),
    ],
    [
      'NAMESPACE',
      'is reserved for XML and SOAP themselves; expected a URI of the hospital, or http://tempuri.org/',
      ...listed(`
        http://www.w3.org/XML/1998/namespace | http://www.w3.org/2000/xmlns/ | http://www.w3.org/2001/XMLSchema
        http://schemas.xmlsoap.org/soap/envelope/ | http://schemas.xmlsoap.org/wsdl/
      `),
    ],
    ['REFUSALS', 'expected fault or result', 'FAULT', 'both'],
    ['SHARED_PORT', 'expected true or false', 'yes', '1'],
    ['RESULTS', 'expected record or none', 'NONE', 'empty'],
    ['LOG_LEVEL', 'expected one of error, warn, info, debug, silent', 'fatal', 'trace', 'verbose', 'INFO'],
  ],
  ['HOST'],
);

describe('Settings: the server', () => {
  it('are for a trial on this machine by default', () => {
    expect(readConfig({})).to.deep.include({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: undefined,
      allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
      namespace: 'http://tempuri.org/',
      refusals: 'fault',
      results: 'record',
      logLevel: 'info',
    });
  });

  it('are read', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      PORT: '65535',
      PUBLIC_URL: 'https://his.example.org/base/',
      ALLOWED_HOSTS: 'His.Local, 10.0.0.7,[fd00::1],',
      NAMESPACE: 'urn:hospital',
      REFUSALS: 'result',
      LOG_LEVEL: 'silent',
    });
    expect(config).to.deep.include({
      host: '0.0.0.0',
      port: 65535,
      publicUrl: 'https://his.example.org/base',
      allowedHosts: ['his.local', '10.0.0.7', '[fd00::1]', 'his.example.org'],
      namespace: 'urn:hospital',
      refusals: 'result',
      logLevel: 'silent',
    });
  });

  it('refuse RESULTS=none with REFUSALS=result, with which a refusal would look like a success', () => {
    const expected = 'expected REFUSALS=fault with it, because nobody could tell a refusal from a success';
    expect(mistakesOf({ RESULTS: 'none', REFUSALS: 'result' })).to.deep.equal([`RESULTS=none: ${expected}`]);
    expect(readConfig({ RESULTS: 'none' }).results).to.equal('none');
  });

  it('refuse a PUBLIC_URL that contains the path of the service, which would be doubled', () => {
    const expected = 'expected the address without the path of the service, such as https://his.example.org';
    const value = 'https://his.example.org/TPWebServices.asmx';
    expect(mistakesOf({ PUBLIC_URL: value })).to.deep.equal([`PUBLIC_URL=${value}: ${expected}`]);
  });
});
