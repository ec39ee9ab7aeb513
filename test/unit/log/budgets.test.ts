import { expect } from 'chai';
import { createApp } from '../../../src/http/app.ts';
import { Budgets } from '../../../src/log/budgets.ts';
import { createLog } from '../../../src/log/log.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { appDependencies } from '../../support/http/app-dependencies.ts';
import { listenHere } from '../../support/http/listen-here.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';

describe('A budget per minute', () => {
  let now: number;
  let lines: string[];
  let budgets: Budgets;
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  beforeEach(() => {
    now = 0;
    lines = [];
    budgets = new Budgets(log, () => now);
  });
  const counts = () => lines.splice(0).map((line) => JSON.parse(line).count);

  it('allows that many events with each code, and a line has the number of the rest', () => {
    const mayLog = budgets.perCode<string>(1000, 'refusals not logged');
    const logged = Array.from({ length: 1200 }, () => mayLog('NotFound')).filter(Boolean);
    expect(logged).to.have.length(1000);
    expect(mayLog('Unauthorized'), 'another code').to.equal(true);
    expect(lines).to.deep.equal([]);
    now += 60_000;
    expect(mayLog('NotFound')).to.equal(true);
    expect(lines.map((line) => JSON.parse(line))).to.have.length(1);
    expect(JSON.parse(String(lines[0]))).to.include({ msg: 'refusals not logged', code: 'NotFound', count: 200 });
  });

  it('is reported once the minute is over, and at the end, even if nothing more happens', async () => {
    const mayLog = budgets.perCode<string>(1000, 'refusals not logged');
    for (let n = 0; n < 1003; n++) mayLog('NotFound');
    now += 59_000;
    await budgets.reportEnded();
    expect(counts()).to.deep.equal([]);
    now += 1000;
    await budgets.reportEnded();
    expect(counts()).to.deep.equal([3]);
    for (let n = 0; n < 1005; n++) mayLog('NotFound');
    await budgets.reportEnded(true);
    await budgets.reportEnded(true);
    expect(counts()).to.deep.equal([5]);
  });

  it('counts the 10,000 latest keys, and reports the first event beyond it', () => {
    const reports: (readonly [count: number, first: number])[] = [];
    const take = budgets.perKey<number>(1, (count, first) => reports.push([count, first]));
    for (const event of [1, 2, 3]) expect(take('first', event)).to.equal(event === 1);
    for (let n = 1; n < 10_000; n++) take(`client ${n}`, 0);
    expect(reports).to.deep.equal([]);
    take('one more', 0);
    expect(reports).to.deep.equal([[2, 2]]);
  });
});

describe('The log of rejected calls', () => {
  it('applies to calls that fail while the database is away', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(line) });
    const invoke = () => Promise.reject(new ServiceError('Unavailable'));
    const mayLog = new Budgets(log, () => 0).perCode<string>(1000, 'refusals not logged');
    const app = await createApp(appDependencies({ invoke, clock: () => 0, log, mayLog }));
    const { port } = await listenHere(app);
    const url = `http://127.0.0.1:${port}/TPWebServices.asmx/GetDoctor?centerid=1`;
    for (let turn = 0; turn < 21; turn++) {
      const calls = Array.from({ length: 50 }, () => fetch(url));
      for (const { status } of await Promise.all(calls)) expect(status).to.equal(503);
    }
    expect(lines.filter((line) => line.includes('call failed'))).to.have.length(1000);
  });

  it('does not grow during a flood', async () => {
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
