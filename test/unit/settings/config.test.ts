import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig, SETTING_GROUPS } from '../../../src/settings/config.ts';
import { perSuite } from '../../support/prepared.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { messageOf } from './settings-suite.ts';

describe('The configuration', () => {
  it('counts an empty or blank variable as unset', () => {
    const names = SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ name }) => name));
    const blank = Object.fromEntries(names.map((name, i) => [name, i % 2 === 0 ? '' : '  ']));
    expect(readConfig(blank)).to.deep.equal(readConfig({}));
  });

  it('has only one setting of each name', () => {
    const names = SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ name }) => name));
    expect(new Set(names).size).to.equal(names.length);
  });

  it('removes white space around a value', () => expect(readConfig({ PORT: ' 9000 ' }).port).to.equal(9000));

  it('ignores variables that are not settings', () => {
    expect(readConfig({ PATH: '/bin', port: '1' })).to.deep.equal(readConfig({}));
  });

  it('quotes the beginning of a long value, and no password in an address', () => {
    expect(messageOf({ TIME_ZONE: 'x'.repeat(5000) })).to.include(`TIME_ZONE=${'x'.repeat(64)}…: expected`);
    expect(messageOf({ SMS_GATEWAY: 'smpp://user:word@smsc' })).to.include('SMS_GATEWAY=smpp://user:…@smsc: expected');
  });

  it('reports all mistakes at once, one per line', () => {
    expect(messageOf({ PORT: 'x', DEMO_DATA: '1', PHONE_REGION: 'in' }).split('\n')).to.deep.equal([
      'The configuration has 3 mistakes:',
      '  PORT=x: expected a whole number from 0 to 65535',
      '  DEMO_DATA=1: expected true or false',
      '  PHONE_REGION=in: expected a country code such as IN',
    ]);
  });

  it('describes a single mistake in the singular', () => {
    const expected = 'The configuration has a mistake:\n  PORT=x: expected a whole number from 0 to 65535';
    expect(messageOf({ PORT: 'x' })).to.equal(expected);
  });

  describe('of a secret', () => {
    const folder = perSuite(temporaryFolder);

    it('is read from the file that NAME_FILE names', () => {
      const file = join(folder.path, 'url');
      writeFileSync(file, 'sqlite:/srv/a.db\n');
      expect(readConfig({ DATABASE_URL_FILE: file }).database).to.include({ kind: 'sqlite', path: '/srv/a.db' });
    });

    it('is never shown in a mistake', () => {
      expect(messageOf({ DATABASE_URL: 'mysql://me:hush@h/d' })).to.not.include('hush');
    });

    it('is refused if its file cannot be read', () => {
      const file = join(folder.path, 'nothing');
      const expected = `DATABASE_URL_FILE=${file}: expected a file that can be read`;
      expect(messageOf({ DATABASE_URL_FILE: file })).to.include(expected);
    });

    it('is refused if it is given twice, because one of the two would be ignored', () => {
      const expected = 'DATABASE_URL_FILE=/a: expected DATABASE_URL or DATABASE_URL_FILE, not both';
      expect(messageOf({ DATABASE_URL_FILE: '/a', DATABASE_URL: 'sqlite:/b' })).to.include(expected);
    });

    it('is read from a file only if the setting is a secret', () => {
      expect(readConfig({ PORT_FILE: join(folder.path, 'nothing') })).to.deep.equal(readConfig({}));
    });
  });
});
