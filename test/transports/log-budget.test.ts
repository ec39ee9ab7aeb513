import { expect } from 'chai';
import { createLog } from '../../src/log.ts';
import { createLogBudget } from '../../src/transports/log-budget.ts';
import { type RunningService, startService } from '../support/start-service.ts';

describe('The log of calls that were turned away', () => {
  it('has the first 1000 a minute of each code, and the number of the others', () => {
    const lines: string[] = [];
    let now = 0;
    const mayLog = createLogBudget({
      log: createLog('info', { write: (line: string) => void lines.push(line) }),
      clock: () => now,
    });
    const logged = Array.from({ length: 1200 }, () => mayLog('NotFound')).filter(Boolean);
    expect(logged).to.have.length(1000);
    expect(mayLog('Unauthorized'), 'another code').to.equal(true);
    expect(lines).to.deep.equal([]);
    now += 60_000;
    expect(mayLog('NotFound')).to.equal(true);
    expect(lines.map((line) => JSON.parse(line))).to.have.length(1);
    expect(JSON.parse(String(lines[0]))).to.include({ msg: 'refusals not logged', code: 'NotFound', count: 200 });
  });

  it('does not grow with a flood, whatever is asked for', async () => {
    let service: RunningService | undefined;
    try {
      service = await startService({ environment: { RATE_LIMIT: '1', LOG_LEVEL: 'info' } });
      const { baseUrl, endpoint } = service;
      const flood = async (url: string) => {
        for (let turn = 0; turn < 30; turn++) {
          await Promise.all(Array.from({ length: 40 }, () => fetch(url).then((answer) => answer.arrayBuffer())));
        }
      };
      await flood(`${baseUrl}/nothing`);
      await flood(`${endpoint}/GetDoctor?centerid=1`);
      const count = (code: string) => service?.logLines.filter((line) => line.includes(`"code":"${code}"`)).length;
      expect([count('NotFound'), count('TooManyRequests')]).to.deep.equal([1000, 1000]);
    } finally {
      await service?.close();
    }
  });
});
