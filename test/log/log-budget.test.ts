import { expect } from 'chai';
import supertest from 'supertest';
import { createApp } from '../../src/http/app.ts';
import { CountedEvents } from '../../src/log/counted-events.ts';
import { createLog } from '../../src/log/log.ts';
import { createLogBudget } from '../../src/log/log-budget.ts';
import { ServiceError } from '../../src/vocabulary/errors.ts';
import { appDependencies } from '../support/http/app-dependencies.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';

describe('The log of rejected calls', () => {
  it('has the first 1000 per minute of each code, and the number of the rest', () => {
    const lines: string[] = [];
    let now = 0;
    const mayLog = createLogBudget({
      log: createLog('info', Date.now, { write: (line: string) => void lines.push(line) }),
      clock: () => now,
      counted: new CountedEvents(),
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

  it('has the number of the rest once the minute is over, and at the end, even if no more calls arrive', async () => {
    const lines: string[] = [];
    let now = 0;
    const counted = new CountedEvents();
    const log = createLog('info', Date.now, { write: (line: string) => void lines.push(line) });
    const mayLog = createLogBudget({ log, clock: () => now, counted });
    const counts = () => lines.splice(0).map((line) => JSON.parse(line).count);
    for (let n = 0; n < 1003; n++) mayLog('NotFound');
    now += 59_000;
    await counted.tell(false);
    expect(counts()).to.deep.equal([]);
    now += 1000;
    await counted.tell(false);
    expect(counts()).to.deep.equal([3]);
    for (let n = 0; n < 1005; n++) mayLog('NotFound');
    await counted.tell(true);
    await counted.tell(true);
    expect(counts()).to.deep.equal([5]);
  });

  it('has lines again after the clock was set back', () => {
    let now = 3_600_000;
    const log = createLog('info', Date.now, { write: () => {} });
    const mayLog = createLogBudget({ log, clock: () => now, counted: new CountedEvents() });
    for (let n = 0; n < 1000; n++) mayLog('NotFound');
    expect(mayLog('NotFound')).to.equal(false);
    now = 0;
    expect(mayLog('NotFound')).to.equal(true);
  });

  it('applies to calls that fail while the database is away', async () => {
    const lines: string[] = [];
    const log = createLog('info', Date.now, { write: (line: string) => void lines.push(line) });
    const invoke = () => Promise.reject(new ServiceError('Unavailable'));
    const mayLog = createLogBudget({ log, clock: () => 0, counted: new CountedEvents() });
    const app = await createApp(appDependencies({ invoke, clock: () => 0, log, mayLog }));
    for (let turn = 0; turn < 21; turn++) {
      const calls = Array.from({ length: 50 }, () => supertest(app).get('/TPWebServices.asmx/GetDoctor?centerid=1'));
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
