import { expect } from 'chai';
import { createLog } from '../../../src/log/log.ts';
import type { WorkerProcess } from '../../../src/process/workers/fork-worker.ts';
import { runWorkers } from '../../../src/process/workers/run-workers.ts';
import type { FromWorker, ToWorker } from '../../../src/process/workers/worker-messages.ts';

/** A worker that does what a test says. */
class ScriptedWorker implements WorkerProcess {
  readonly processId = undefined;
  readonly signals: string[] = [];
  readonly #heard: ((message: FromWorker) => void)[] = [];
  readonly #ended: ((code: number | null, signal: string | null) => void)[] = [];
  /** Whether it answers a liveness check. */
  isAlive = true;
  send({ kind }: ToWorker): void {
    if (kind === 'are-you-alive' && this.isAlive) this.says({ kind: 'alive' });
  }
  signal(signal: NodeJS.Signals): void {
    this.signals.push(signal);
  }
  onMessage(listener: (message: FromWorker) => void): void {
    this.#heard.push(listener);
  }
  onExit(listener: (code: number | null, signal: string | null) => void): void {
    this.#ended.push(listener);
  }
  says(message: FromWorker): void {
    for (const listener of this.#heard) listener(message);
  }
  ready(): void {
    this.says({ kind: 'ready', startMessage: 'ready', facts: {} });
  }
  ends(code = 1): void {
    for (const listener of this.#ended) listener(code, null);
  }
}

describe('runWorkers', () => {
  let forked: ScriptedWorker[];
  let told: string[];
  let now: number;
  const start = (limits: { readonly stopLimit?: number; readonly pulseInterval?: number } = {}) => {
    forked = [];
    told = [];
    now = 0;
    return runWorkers({
      count: 2,
      ...limits,
      fork: () => {
        const worker = new ScriptedWorker();
        forked.push(worker);
        return worker;
      },
      log: createLog('silent', Date.now),
      stopwatch: () => now,
      onReady: () => told.push('ready'),
      onFailure: (text, ever) => told.push(`${ever ? 'later' : 'first'}: ${text}`),
    });
  };
  const worker = (number: number): ScriptedWorker => forked[number] ?? expect.fail(`no worker ${number}`);
  const until = async (count: number) => {
    while (forked.length < count) await new Promise((resume) => setTimeout(resume, 5));
  };

  it('reports once that it is ready, when all workers are', async () => {
    const workers = start();
    worker(0).ready();
    expect(told).to.deep.equal([]);
    worker(1).ready();
    expect(told).to.deep.equal(['ready']);
    worker(0).ends();
    await until(3);
    worker(2).ready();
    expect(told).to.deep.equal(['ready']);
    const stopped = workers.stop();
    for (const one of [1, 2]) expect(worker(one).signals).to.deep.equal(['SIGTERM']);
    worker(1).ends(0);
    worker(2).ends(0);
    await stopped;
  });

  it('starts no other worker if one fails before all were ready, and reports the failure once', async () => {
    start();
    worker(0).ready();
    for (const n of [0, 1]) worker(n).says({ kind: 'failed', text: 'The disk is full', isFinal: false });
    worker(1).ends();
    await new Promise((resume) => setTimeout(resume, 150));
    expect(forked).to.have.length(2);
    expect(told).to.deep.equal(['first: The disk is full']);
  });

  it('reports why a later worker fails, and tries again', async () => {
    start();
    worker(0).ready();
    worker(1).ready();
    worker(1).ends();
    await until(3);
    worker(2).says({ kind: 'failed', text: 'The database is away', isFinal: false });
    worker(2).ends();
    await until(4);
    expect(told).to.deep.equal(['ready', 'later: The database is away']);
  });

  it('starts no other worker, even after all were ready, if the database can never be used after its return', async () => {
    start();
    worker(0).ready();
    worker(1).ready();
    for (const n of [0, 1]) worker(n).says({ kind: 'failed', text: 'The schema is newer', isFinal: true });
    for (const n of [0, 1]) worker(n).ends();
    await new Promise((resume) => setTimeout(resume, 150));
    expect(forked).to.have.length(2);
    expect(told).to.deep.equal(['ready', 'first: The schema is newer']);
  });

  it('kills workers that do not end in time', async () => {
    const workers = start({ stopLimit: 20 });
    const stopped = workers.stop();
    worker(0).ends(0);
    while (!worker(1).signals.includes('SIGKILL')) await new Promise((resume) => setTimeout(resume, 5));
    worker(1).ends(1);
    await stopped;
    expect([worker(0).signals, worker(1).signals]).to.deep.equal([['SIGTERM'], ['SIGTERM', 'SIGKILL']]);
  });

  it('kills and replaces only the worker that does not answer a liveness check', async () => {
    const workers = start({ pulseInterval: 1 });
    worker(0).ready();
    worker(1).ready();
    worker(1).isAlive = false;
    while (worker(1).signals.length === 0) await new Promise((resume) => setTimeout(resume, 5));
    worker(1).ends();
    await until(3);
    worker(2).ready();
    const stopped = workers.stop();
    for (const one of [0, 2]) worker(one).ends(0);
    await stopped;
    expect([0, 1, 2].map((n) => worker(n).signals)).to.deep.equal([['SIGTERM'], ['SIGKILL'], ['SIGTERM']]);
  });

  it('passes signals on to live workers', async () => {
    const workers = start();
    worker(0).ends();
    workers.signal('SIGHUP');
    expect([worker(0).signals, worker(1).signals]).to.deep.equal([[], ['SIGHUP']]);
    await until(3);
  });
});
