import { expect } from 'chai';
import { readConfig } from '../../src/settings/config.ts';
import { MONITORING_SETTINGS } from '../../src/settings/monitoring-settings.ts';
import { settingsSuite } from './settings-suite.ts';

const DAYS = 'expected a whole number from 0 to 36500';

// Only the system can judge what OPERATIONS_HOST may be.
settingsSuite(
  'monitoring',
  MONITORING_SETTINGS,
  [
    ['OPERATIONS_PORT', 'expected a port number from 0 to 65535', '65536', '-1', '90a', '000080'],
    ['RECORDED_ADDRESSES', 'expected whole or network', 'none', 'Network'],
    ['OUTBOX_RETENTION_DAYS', DAYS, '-1', 'ever', '36501'],
    ['APPOINTMENT_RETENTION_DAYS', DAYS, '-1', 'ever', '36501'],
    ['FEEDBACK_RETENTION_DAYS', DAYS, '-1', 'ever', '36501'],
    ['AUDIT_RETENTION_DAYS', DAYS, '-1', '1.5', '36501'],
    ['STOP_GRACE_SECONDS', 'expected a whole number from 0 to 600', '-1', '601', '1.5'],
  ],
  ['OPERATIONS_HOST'],
);

describe('Settings: monitoring', () => {
  it("have no operator's port and delete messages after three months, by default", () => {
    expect(readConfig({}).monitoring).to.deep.equal({
      stopGrace: 0,
      port: undefined,
      host: '127.0.0.1',
      recordedAddresses: 'whole',
      retention: { messages: 90, appointments: 0, feedback: 0, auditEvents: 0 },
    });
  });

  it('are read', () => {
    const { monitoring } = readConfig({
      STOP_GRACE_SECONDS: '5',
      OPERATIONS_PORT: '9090',
      OPERATIONS_HOST: '10.0.0.7',
      RECORDED_ADDRESSES: 'network',
      OUTBOX_RETENTION_DAYS: '0',
      AUDIT_RETENTION_DAYS: '3650',
      APPOINTMENT_RETENTION_DAYS: '730',
      FEEDBACK_RETENTION_DAYS: '400',
    });
    expect(monitoring).to.deep.equal({
      stopGrace: 5000,
      port: 9090,
      host: '10.0.0.7',
      recordedAddresses: 'network',
      retention: { messages: 0, appointments: 730, feedback: 400, auditEvents: 3650 },
    });
  });
});
