import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { DATABASE_SETTINGS } from '../../src/settings/database-settings.ts';
import { settingsSuite } from './settings-suite.ts';

settingsSuite('the database', DATABASE_SETTINGS, [
  ['DATABASE_URL', 'expected sqlite:FILE or sqlite::memory:', './a.db', 'sqlite:', 'mysql://h/d'],
  ['DEMO_DATA', 'expected true or false', 'yes', '1', 'TRUE'],
]);

describe('Settings: the database', () => {
  it('are an embedded one without demo data unless given', () => {
    expect(readConfig({})).to.deep.include({
      database: { kind: 'sqlite', path: './data/tpwebservices.db' },
      demoData: false,
    });
  });

  it('take a database in memory, a file, and a file by URL', () => {
    const database = (url: string) => readConfig({ DATABASE_URL: url }).database;
    expect(database('sqlite::memory:')).to.deep.equal({ kind: 'sqlite', path: ':memory:' });
    expect(database('sqlite:/var/lib/a.db')).to.deep.equal({ kind: 'sqlite', path: '/var/lib/a.db' });
    expect(database('sqlite:///srv/a.db')).to.deep.equal({ kind: 'sqlite', path: '/srv/a.db' });
  });

  it('load demo data if told', () => {
    expect(readConfig({ DEMO_DATA: 'true' }).demoData).to.equal(true);
  });
});
