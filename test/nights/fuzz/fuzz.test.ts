import { expect } from 'chai';
import { fuzz } from '../../../scripts/fuzz/fuzz.ts';
import { type MeasuredService, startMeasuredService } from '../../support/process/measured-service.ts';

// The long run, with its own seeds, is `npm run ci -- fuzz`.
describe('The service given mutated requests', () => {
  let service: MeasuredService;

  before(async () => {
    service = await startMeasuredService({ LOG_LEVEL: 'error' });
  });

  it('answers 2,000 of them within its rules, and keeps running', async () => {
    const requests = { seed: 7, first: 0, count: 2000, connections: 32 };
    // Only a missing answer counts as late here: the machine may be busy.
    const { findings, statuses } = await fuzz({ port: service.port, ...requests, longestAnswer: 10_000 });
    expect(findings).to.deep.equal([]);
    expect(service.isAlive()).to.equal(true);
    expect(service.errors()).to.equal('');
    expect(service.logLines()).to.deep.equal([]);
    // A run that finds only refusals does not test much.
    const ok = statuses['200'] ?? {};
    for (const transport of ['soap11', 'soap12', 'httpGet', 'httpPost']) expect(ok[transport]).to.be.greaterThan(30);
  });
});
