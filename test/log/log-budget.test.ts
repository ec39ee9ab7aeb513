import { expect } from 'chai';
import { createLog } from '../../src/log/log.ts';
import { createLogBudget } from '../../src/log/log-budget.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';

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

  it('does not grow with a flood', async () => {
    let service: RunningService | undefined;
    try {
      service = await startService({ environment: { LOG_LEVEL: 'info' } });
      const url = `${service.baseUrl}/nothing`;
      for (let turn = 0; turn < 21; turn++) {
        await Promise.all(Array.from({ length: 50 }, () => fetch(url).then((answer) => answer.arrayBuffer())));
      }
      expect(service.logLines.filter((line) => line.includes('"code":"NotFound"'))).to.have.length(1000);
    } finally {
      await service?.close();
    }
  });
});
