import { expect } from 'chai';
import { readConfig } from '../../src/settings/config.ts';
import { LIMIT_SETTINGS } from '../../src/settings/limit-settings.ts';
import { settingsSuite } from './settings-suite.ts';

settingsSuite('limits', LIMIT_SETTINGS, [
  ['RATE_LIMIT', 'expected a whole number from 0 to 100000000', '-1', '100000001', '10/s'],
  ['MAX_CONNECTIONS', 'expected a whole number from 1 to 1000000', '0', '1000001', 'many'],
  ['MAX_CONNECTIONS_PER_ADDRESS', 'expected a whole number from 0 to 1000000', '-1', '1000001'],
  ['KEEP_ALIVE_SECONDS', 'expected a whole number from 1 to 3600', '0', '3601'],
]);

describe('Settings: limits', () => {
  it('are safe by default', () => {
    expect(readConfig({}).limits).to.deep.equal({
      ratePerMinute: 6000,
      limitsThisMachine: false,
      connections: { most: 10_000, mostPerAddress: 1000, keepAlive: 65_000 },
    });
  });

  it('also apply to this machine if a limit is set', () => {
    expect(readConfig({ RATE_LIMIT: '60' }).limits).to.include({ ratePerMinute: 60, limitsThisMachine: true });
    expect(readConfig({ RATE_LIMIT: '0' }).limits).to.include({ ratePerMinute: 0 });
  });
});
