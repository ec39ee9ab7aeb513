import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { MONITORING_SETTINGS, RETENTION_SETTINGS } from '../../../src/settings/monitoring-settings.ts';
import { listed } from '../../support/listed.ts';
import { mistakesOf, settingsSuite } from './settings-suite.ts';

const DAYS = 'expected never or a whole number from 1 to 36500';

settingsSuite('monitoring', MONITORING_SETTINGS, [
  [
    'OPERATIONS_PORT',
    'expected a port number from 0 to 65535, or ADDRESS:PORT',
    ...listed('65536 | -1 | 9090a | :9090 | 10.0.0.7: | ::1:9090'),
  ],
  ['STOP_GRACE_SECONDS', 'expected a whole number from 0 to 600', '-1', '601', '1.5'],
]);
settingsSuite('retention', RETENTION_SETTINGS, [
  ['OUTBOX_RETENTION_DAYS', DAYS, '0', '-1', '36501'],
  ['APPOINTMENT_RETENTION_DAYS', DAYS, '-1', 'forever'],
  ['FEEDBACK_RETENTION_DAYS', DAYS, '-1', '36501'],
  ['AUDIT_RETENTION_DAYS', 'expected never or a whole number from 365 to 36500', '364', '1y'],
]);

describe('Settings: monitoring', () => {
  it("have no operator's port, and delete messages after three months, by default", () => {
    const { monitoring, retentionDays } = readConfig({});
    expect(monitoring).to.deep.equal({ operations: undefined, stopGraceSeconds: 0 });
    expect(retentionDays).to.deep.equal({
      messages: 90,
      appointments: undefined,
      feedback: undefined,
      auditEvents: undefined,
    });
  });

  it('refuse one port for both callers and the operator, unless the addresses differ', () => {
    for (const HOST of ['127.0.0.1', '0.0.0.0', '::']) {
      expect(mistakesOf({ HOST, PORT: '9090', OPERATIONS_PORT: '9090' })).to.deep.equal([
        'OPERATIONS_PORT=9090: expected another port than that of PORT',
      ]);
    }
    expect(readConfig({ HOST: '10.0.0.7', PORT: '9090', OPERATIONS_PORT: '9090' }).port).to.equal(9090);
    expect(readConfig({ PORT: '0', OPERATIONS_PORT: '0' }).port).to.equal(0);
  });

  it('are read', () => {
    const { monitoring, retentionDays } = readConfig({
      STOP_GRACE_SECONDS: '5',
      OPERATIONS_PORT: '9090',
      OUTBOX_RETENTION_DAYS: 'never',
      AUDIT_RETENTION_DAYS: '3650',
      APPOINTMENT_RETENTION_DAYS: '730',
      FEEDBACK_RETENTION_DAYS: '400',
    });
    expect(monitoring).to.deep.equal({ operations: { host: '127.0.0.1', port: 9090 }, stopGraceSeconds: 5 });
    expect(retentionDays).to.deep.equal({
      messages: Number.POSITIVE_INFINITY,
      appointments: 730,
      feedback: 400,
      auditEvents: 3650,
    });
  });

  for (const [value, host] of [
    ['0.0.0.0:9090', '0.0.0.0'],
    ['[::]:9090', '::'],
    ['metrics.internal:9090', 'metrics.internal'],
  ] as const) {
    it(`read OPERATIONS_PORT=${value}`, () => {
      expect(readConfig({ OPERATIONS_PORT: value }).monitoring.operations).to.deep.equal({ host, port: 9090 });
    });
  }
});
