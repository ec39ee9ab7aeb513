import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { DATABASE_SETTINGS } from '../../../src/settings/database-settings.ts';
import { listed } from '../../support/listed.ts';
import { settingsSuite } from './settings-suite.ts';

settingsSuite('the database', DATABASE_SETTINGS, [
  [
    'DATABASE_URL',
    'expected sqlite:FILE, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE; in a password, percent-encode / ? # % @ and :',
    ...['/', '?', '#'].map((sign) => `postgres://u:${sign}@h/d`),
    ...listed('./a.db | sqlite: | mysql://h/d | postgres://h | postgres://h/ | postgres://u:p@h:x/d | postgres:///'),
  ],
  [
    'DATABASE_URL',
    'expected sslmode to be one of disable, require, verify-ca, verify-full',
    'postgres://h/d?sslmode=prefer',
    'postgres://h/d?sslmode=',
  ],
  [
    'DATABASE_URL',
    'expected one host, such as that of HAProxy, which leads to the server that accepts writes',
    'postgres://h1,h2/d',
    'postgres://u:p@h1:5432,h2:5433/d?sslmode=require',
    'postgres://h/d?target_session_attrs=read-write',
    'postgres:///d?host=h1,h2',
  ],
  ['DATABASE_POOL_SIZE', 'expected a whole number from 2 to 1000', '1', '1001', '-1', 'many'],
  ['DATABASE_CREATE', 'expected true or false', 'yes', '1'],
  ['DEMO_DATA', 'expected true or false', 'yes', '1', 'TRUE'],
]);

describe('Settings: the database', () => {
  it('are an embedded database without demo data by default', () => {
    expect(readConfig({})).to.deep.include({
      database: { kind: 'sqlite', path: './data/tpwebservices.db', timeoutMs: 5000 },
      createDatabase: false,
      demoData: false,
    });
  });

  it('create a new database if told to, or if there is demo data to fill it with', () => {
    expect(readConfig({ DATABASE_CREATE: 'true' })).to.include({ createDatabase: true, demoData: false });
    expect(readConfig({ DEMO_DATA: 'true' })).to.include({ createDatabase: true });
  });

  it('accept a database in memory, a file, and a file as a URL', () => {
    const database = (url: string) => readConfig({ DATABASE_URL: url }).database;
    expect(database('sqlite::memory:')).to.include({ kind: 'sqlite', path: ':memory:' });
    expect(database('sqlite:/var/lib/a.db')).to.include({ kind: 'sqlite', path: '/var/lib/a.db' });
    expect(database('sqlite:///srv/a.db')).to.include({ kind: 'sqlite', path: '/srv/a.db' });
  });

  it('accept a PostgreSQL URL, with the size of its pool', () => {
    for (const url of [
      'postgres://u:p@db.example.org:5433/hospital?sslmode=verify-full',
      'postgresql://u@h/d',
      'postgres:///d?host=/run/postgresql',
      'postgres://u:p@/d?host=/run/postgresql',
      'postgres://u,v@[::1]:5432/d',
    ]) {
      expect(readConfig({ DATABASE_URL: url }).database, url).to.deep.equal({
        kind: 'postgres',
        url,
        poolSize: 10,
        timeoutMs: 5000,
      });
    }
    const sized = { DATABASE_URL: 'postgres://h/d', DATABASE_POOL_SIZE: '4' };
    expect(readConfig(sized).database).to.include({ poolSize: 4 });
  });

  it('load demo data if told to', () => expect(readConfig({ DEMO_DATA: 'true' }).demoData).to.equal(true));
});
