import { expect } from 'chai';
import { workerCount } from '../../../src/process/workers/worker-count.ts';
import { ConfigError, readConfig } from '../../../src/settings/config.ts';

describe('The number of workers', () => {
  const count = (environment: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux') =>
    workerCount(readConfig(environment), { cores: 8, platform });

  it('is the number set, or one per core', () => {
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

  it('is one on Windows, where a worker cannot be told to finish its calls', () => {
    expect(count({ WORKERS: '1' }, 'win32')).to.equal(1);
    expect(count({ WORKERS: 'auto' }, 'win32')).to.equal(1);
    expect(() => count({ WORKERS: '2' }, 'win32')).to.throw(ConfigError, 'WORKERS=2: expected 1, because Windows');
  });
});
