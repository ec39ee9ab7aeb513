import { expect } from 'chai';
import { fuzz } from '../../scripts/fuzz/fuzz.ts';
import { type MeasuredService, startMeasuredService } from '../../scripts/fuzz/measured-service.ts';

// The long run, with seeds of its own, is `npm run fuzz`.
describe('The service given mutated requests', () => {
  let service: MeasuredService;

  before(async () => {
    service = await startMeasuredService({ LOG_LEVEL: 'error' });
  });
  after(() => service?.stop());

  it('answers 2,000 of them within its rules, and lives', async () => {
    const requests = { seed: 7, first: 0, count: 2000, connections: 32 };
    // Only an answer that never comes is too late here: the machine may be busy.
    const { findings, statuses } = await fuzz({ port: service.port, ...requests, longestAnswer: 10_000 });
    expect(findings).to.deep.equal([]);
    expect(service.isAlive()).to.equal(true);
    expect(service.errors()).to.equal('');
    expect(service.logLines()).to.deep.equal([]);
    // A run that only finds refusals has not come far.
    const ok = statuses['200'] ?? {};
    for (const transport of ['soap11', 'soap12', 'httpGet', 'httpPost']) expect(ok[transport]).to.be.greaterThan(30);
  });
});
