import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type RunningService, startService } from '../support/process/start-service.ts';
import { root } from './source-files.ts';

describe('The alarms for Prometheus', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('ask for metrics that the service has', async () => {
    const rules = readFileSync(new URL('deploy/prometheus/tpwebservices.rules.yaml', root), 'utf8');
    const named = new Set(rules.match(/\b(?:tpws|nodejs)_\w+/g));
    expect(named.size).to.be.above(4);
    // These come with the process, not with the app that tests start.
    const ofProcess = /^nodejs_|^tpws_log_lines_dropped$/;
    const metrics = await (await fetch(`${new URL(service.baseUrl).origin}/metrics`)).text();
    const missing = [...named].filter(
      (name) => !ofProcess.test(name) && !metrics.includes(`# TYPE ${name.replace(/_bucket$/, '')} `),
    );
    expect(missing).to.deep.equal([]);
  });
});
