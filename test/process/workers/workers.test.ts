import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { metricValues } from '../../monitoring/metric-values.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import type { ReadyService, ServiceProcess } from '../../support/process/service-process.ts';
import { startedServices } from '../../support/process/started-services.ts';

describe('Workers', function () {
  // Several starts each, on a machine that may be busy.
  this.timeout(60_000);
  before(function () {
    skipOnWindows(this, 'there is one process');
  });
  const services = startedServices({ WORKERS: '2' });
  const { start } = services;
  const ready = (settings: Readonly<Record<string, string>> = {}) =>
    services.ready({ OPERATIONS_PORT: '0', ...settings });
  const linesOf = (service: ServiceProcess, event: string) => service.logLines().filter(({ msg }) => msg === event);
  const metricsOf = async (service: ServiceProcess) => {
    await service.printed('"msg":"listening on the operations port"');
    const port = linesOf(service, 'listening on the operations port')[0]?.port;
    return metricValues(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  };
  const DOCTORS = 'tpws_calls_total{operation="GetDoctor",transport="httpGet",outcome="ok"}';
  /** On its own connection, so that the next one goes to the next worker. */
  const listDoctors = async (service: ReadyService) => {
    const answer = await fetch(`${service.endpoint}/GetDoctor?centerid=1`, { headers: { Connection: 'close' } });
    expect(answer.status).to.equal(200);
    await answer.text();
  };
  const processesOf = async (service: ServiceProcess): Promise<readonly number[]> =>
    readFileSync(`/proc/${service.processId}/task/${service.processId}/children`, 'utf8')
      .split(' ')
      .filter((text) => text !== '')
      .map(Number);

  it('share a port, and each of them reports the counts of all', async () => {
    const service = await ready();
    for (let n = 0; n < 10; n++) await listDoctors(service);
    const values = await metricsOf(service);
    expect(values.get(DOCTORS)).to.equal(10);
    expect(values.get('tpws_workers')).to.equal(2);
  });

  it('print one start message, load the demo data once, and log their number', async () => {
    const service = await ready();
    expect(service.output().match(/TPWebServices is ready\./g)).to.have.length(1);
    expect(linesOf(service, 'ready')).to.have.length(1);
    // Each process writes its log in chunks of its own.
    await service.printed('"msg":"worker ready"', 2);
    expect(
      linesOf(service, 'worker ready')
        .map(({ worker }) => worker)
        .sort(),
    ).to.deep.equal([1, 2]);
    const { text } = await callOver('httpGet', service.endpoint, 'GetDoctor', { centerid: 2 });
    expect(text.match(/<DoctorID>/g)).to.have.length(5);
  });

  it('are replaced when they die, and their counts are kept', async () => {
    const service = await ready();
    for (let n = 0; n < 4; n++) await listDoctors(service);
    expect((await metricsOf(service)).get(DOCTORS)).to.equal(4);
    const [victim = 0] = await processesOf(service);
    process.kill(victim, 'SIGKILL');
    await service.printed('"msg":"worker ended"');
    while (linesOf(service, 'worker ready').length < 3) await setTimeout(20);
    for (let n = 0; n < 4; n++) await listDoctors(service);
    const values = await metricsOf(service);
    expect(values.get(DOCTORS)).to.equal(8);
    expect(values.get('tpws_worker_deaths_total')).to.equal(1);
  });

  it('finish calls in flight at SIGTERM, and end with exit code 0', async () => {
    const service = await ready();
    const calls = Array.from({ length: 20 }, (_, n) =>
      callOver('httpPost', service.endpoint, 'Sent_SMS', {
        Mobileno: `98450123${10 + n}`,
        Message: 'Namaste',
        tempid: 0,
        SMSmode: 0,
      }),
    );
    await calls[0];
    const workers = await processesOf(service);
    service.signal('SIGTERM');
    const answers = await Promise.allSettled(calls);
    // Every connected client is answered; later ones are not accepted.
    for (const answer of answers) if (answer.status === 'fulfilled') expect(answer.value.status).to.equal(200);
    expect(await service.exited()).to.equal(0);
    for (const worker of workers) expect(() => process.kill(worker, 0)).to.throw('ESRCH');
    expect(linesOf(service, 'stopped')).to.have.length(3);
  });

  it('end when the primary process is killed', async () => {
    const service = await ready();
    const workers = await processesOf(service);
    expect(workers).to.have.length(2);
    service.signal('SIGKILL');
    await service.exited();
    const isAlive = (worker: number) => {
      try {
        process.kill(worker, 0);
        return true;
      } catch {
        return false;
      }
    };
    const deadline = performance.now() + 5000;
    while (workers.some(isAlive) && performance.now() < deadline) await setTimeout(20);
    expect(workers.filter(isAlive)).to.deep.equal([]);
  });

  it('end the service if they cannot start, with the message and exit code of a single process', async () => {
    const alone = start({ WORKERS: '1', DATABASE_URL: 'sqlite:/dev/null/a.db' });
    const expected = [await alone.exited(), alone.errors()];
    const service = start({ DATABASE_URL: 'sqlite:/dev/null/a.db' });
    expect([await service.exited(), service.errors()]).to.deep.equal(expected);
    expect(expected[0]).to.equal(1);
  });

  it('end the service if the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { port } = other.address() as { readonly port: number };
      const service = start({ PORT: String(port) });
      expect(await service.exited()).to.equal(1);
      expect(service.errors()).to.match(new RegExp(`^PORT=${port}: another program listens on this port`));
    } finally {
      other.close();
    }
  });

  it('are not started at all if the settings have a mistake', async () => {
    const service = start({ DATABASE_URL: 'sqlite::memory:' });
    expect(await service.exited()).to.equal(1);
    expect(service.errors()).to.include('WORKERS=2: expected 1');
    expect(service.output()).to.equal('');
  });

  it('share one rate limit; each enforces it late by the calls that it serves before it hears from the others', async () => {
    const service = await ready({ RATE_LIMIT: '20' });
    const ask = async () => {
      const { status } = await fetch(`${service.endpoint}/GetDoctor?centerid=2`, { headers: { Connection: 'close' } });
      return status;
    };
    let served = 0;
    for (let n = 0; n < 80; n++) {
      if ((await ask()) === 200) served++;
      await setTimeout(20);
    }
    // 50 requests per second, and each worker hears from the other within about 100 ms.
    expect(served).to.be.within(20, 30);
    expect(await ask()).to.equal(429);
    expect(await ask()).to.equal(429);
  });
});
