import { expect } from 'chai';
import { workerCount } from '../../../src/process/workers/worker-count.ts';
import { ConfigError, readConfig } from '../../../src/settings/config.ts';

describe('The number of workers', () => {
  const count = (environment: Readonly<Record<string, string>>) => workerCount(readConfig(environment), 8);

  it('is what is asked for, or one a core', () => {
    expect(count({})).to.equal(1);
    expect(count({ WORKERS: '3' })).to.equal(3);
    expect(count({ WORKERS: 'auto' })).to.equal(8);
  });

  it('is one with a database in memory, which belongs to one process', () => {
    const DATABASE_URL = 'sqlite::memory:';
    expect(count({ DATABASE_URL, WORKERS: '1' })).to.equal(1);
    expect(count({ DATABASE_URL, WORKERS: 'auto' })).to.equal(1);
    expect(() => count({ DATABASE_URL, WORKERS: '2' })).to.throw(ConfigError, 'WORKERS=2: expected 1');
  });
});
